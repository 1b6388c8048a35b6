// SPDX-License-Identifier: MIT
#include "kernel/layout_check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "jit/type_check.hpp"
#include "kernel/argument_table.hpp"
#include "kernel/parameter_type.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// What the kernel's compiler finds where an argument, or the elements of a View, must be the same.
struct Found {
  TypeClass type;
  std::uint32_t size, alignment;
};

[[noreturn]] void fail(const Call& call, std::size_t i, const std::string& why_and_fix) {
  throw SignatureError(fmt::format("kernel '{}': argument {}, {}, does not fit parameter '{}': {}{}", call.kernel,
                                   i + 1, describe(call.arguments[i]), call.signature->parameters[i].declaration,
                                   why_and_fix, side_by_side(*call.signature, call.arguments, {{i}})));
}

// Complex numbers are classes, and so are two-byte ones.
TypeClass class_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::boolean: return TypeClass::boolean;
    case ValueKind::int8:
    case ValueKind::int16:
    case ValueKind::int32:
    case ValueKind::int64: return TypeClass::signed_integer;
    case ValueKind::uint8:
    case ValueKind::uint16:
    case ValueKind::uint32:
    case ValueKind::uint64: return TypeClass::unsigned_integer;
    case ValueKind::float32:
    case ValueKind::float64: return TypeClass::floating;
    default: return TypeClass::other;
  }
}

bool same_class(const ArgumentType& argument, TypeClass found) {
  return class_of(argument.kind) == found || (argument.is_enum && found == TypeClass::other);
}

void check_layout(const Call& call, std::size_t i, const Found& found) {
  const ArgumentType& type = *call.arguments[i].type;
  const std::string& name = call.signature->parameters[i].type;
  const char* const has = type.is_view ? "its elements have" : "it has";
  const bool aligned = type.is_view ? type.alignment % found.alignment == 0 : type.alignment == found.alignment;
  if (!same_class(type, found.type)) {
    fail(
        call, i,
        fmt::format("{} type {}, and '{}' is {} in the kernel: what only the kernel's compiler knows is not converted: "
                    "pass that type, or write it out in the kernel",
                    has, value_name(type), name, jit::detail::type_text(found.type, found.size)));
  }
  if (type.size != found.size || !aligned) {
    fail(call, i,
         fmt::format("{} {} bytes and alignment {}, {} has {} and {} in the kernel: both are to be the same type: "
                     "include one header on both sides",
                     has, type.size, type.alignment, name, found.size, found.alignment));
  }
}

std::string place_of(const FieldLayout& field) { return fmt::format("at byte {}, {}", field.offset, type_text(field)); }

bool overlap(const FieldLayout& a, const FieldLayout& b) {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

bool same_field(const FieldLayout& host, const FieldLayout& kernel) {
  const bool same_elements = host.element_size == 0 || kernel.element_size == 0 ||
                             (host.element_size == kernel.element_size && host.element_type == kernel.element_type);
  return host.offset == kernel.offset && host.size == kernel.size && host.type == kernel.type &&
         host.type_size == kernel.type_size && same_elements;
}

// Of a field that the kernel's text was not seen to have, what lies in its place there proves that it is another.
std::string difference(const FieldLayout& host, std::span<const FieldLayout> kernel) {
  const auto same = std::ranges::find(kernel, host.name, &FieldLayout::name);
  if (same != kernel.end()) {
    if (same_field(host, *same)) return {};
    return fmt::format("\n  field '{}': on the host {}; in the kernel {}", host.name, place_of(host), place_of(*same));
  }
  const auto other = std::ranges::find_if(kernel, [&](const FieldLayout& field) { return overlap(host, field); });
  if (other == kernel.end()) return {};
  return fmt::format("\n  field '{}': on the host {}; in the kernel there is no such field, and '{}' is {}", host.name,
                     place_of(host), other->name, place_of(*other));
}

void check_fields(const Call& call, std::size_t i, std::span<const FieldLayout> kernel) {
  const ArgumentType& type = *call.arguments[i].type;
  if (type.described == nullptr || kernel.empty()) return;
  std::string differences;
  for (const FieldLayout& field : type.described->fields()) differences += difference(field, kernel);
  if (differences.empty()) return;
  fail(call, i,
       fmt::format("struct {} is another one in the kernel, which would take other bytes for its fields: include one "
                   "header with it (and its MYLOS_STRUCT) on both sides, with the same macros:{}",
                   value_name(type), differences));
}

}  // namespace

void check_layouts(const Call& call, const CompiledKernel& compiled) {
  if (call.signature == nullptr) return;
  for (std::size_t i = 0; i < std::min(compiled.parameters.size(), call.arguments.size()); ++i) {
    if (element_type(call.signature->parameters[i].type).is_known()) continue;  // compared before anything was compiled
    if (i < compiled.fields.size()) check_fields(call, i, compiled.fields[i]);
    const ParameterLayout& layout = compiled.parameters[i];
    const Found found = call.arguments[i].type->is_view
                            ? Found{layout.element_type, layout.element_size, layout.element_alignment}
                            : Found{layout.type, layout.size, layout.alignment};
    if (found.size > 0) check_layout(call, i, found);
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
