// SPDX-License-Identifier: MIT
// What was read of a kernel's parameters against what a compiler finds.
#include "jit/type_check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/jit/signature.hpp>

namespace mylos::inline MYLOS_ABI {

std::string type_text(const FieldLayout& field) {
  using jit::detail::type_text;
  const std::size_t count = field.type_size > 0 ? field.size / field.type_size : 1;
  std::string text = count == 1 ? "" : fmt::format("{} times ", count);
  text += type_text(field.type, static_cast<std::uint32_t>(field.type_size));
  const bool has_elements = field.type >= TypeClass::pointer && field.element_size > 0;
  return has_elements ? text + " to " + type_text(field.element_type, static_cast<std::uint32_t>(field.element_size))
                      : text;
}

}  // namespace mylos::inline MYLOS_ABI

namespace mylos::inline MYLOS_ABI::jit {

std::string detail::type_text(TypeClass type, std::uint32_t size) {
  switch (type) {
    case TypeClass::boolean: return "bool";
    case TypeClass::signed_integer: return fmt::format("a signed integer of {} bytes", size);
    case TypeClass::unsigned_integer: return fmt::format("an unsigned integer of {} bytes", size);
    case TypeClass::floating: return fmt::format("a floating-point number of {} bytes", size);
    case TypeClass::pointer: return "a pointer";
    case TypeClass::array: return "a mylos::Array";
    case TypeClass::contiguous_array: return "a mylos::ContiguousArray";
    case TypeClass::other: break;
  }
  return size == 0 ? "a type that is declared only" : fmt::format("a class or enumeration of {} bytes", size);
}

namespace {

using detail::type_text;

struct NamedType {
  std::string_view name;
  TypeClass type;
  std::uint32_t size;
};

// By their canonical names: see canonical_type().
constexpr std::array fundamental_types = {
    NamedType{"bool", TypeClass::boolean, 1},
    NamedType{"char", TypeClass::signed_integer, 1},
    NamedType{"signed char", TypeClass::signed_integer, 1},
    NamedType{"unsigned char", TypeClass::unsigned_integer, 1},
    NamedType{"short", TypeClass::signed_integer, 2},
    NamedType{"unsigned short", TypeClass::unsigned_integer, 2},
    NamedType{"int", TypeClass::signed_integer, 4},
    NamedType{"unsigned int", TypeClass::unsigned_integer, 4},
    NamedType{"long long", TypeClass::signed_integer, 8},
    NamedType{"unsigned long long", TypeClass::unsigned_integer, 8},
    NamedType{"float", TypeClass::floating, 4},
    NamedType{"double", TypeClass::floating, 8},
};

// Nothing for a name that only a compiler knows.
std::optional<NamedType> meaning_of(std::string_view canonical) {
  if (canonical.ends_with('*')) return NamedType{canonical, TypeClass::pointer, sizeof(void*)};
  const auto* const known = std::ranges::find(fundamental_types, canonical, &NamedType::name);
  return known == fundamental_types.end() ? std::nullopt : std::optional(*known);
}

bool holds(std::string_view canonical, TypeClass type, std::uint32_t size) {
  const auto meaning = meaning_of(canonical);
  return !meaning || (meaning->type == type && meaning->size == size);
}

bool holds(const Parameter& read, const ParameterLayout& found) {
  // An alias that is not known may hide const; that of pointers which are elements (`double* const* x`) is not read.
  const bool may_be_hidden = !meaning_of(read.type) || found.element_type == TypeClass::pointer;
  const bool same_const = read.is_const == found.element_is_const || (!read.is_const && may_be_hidden);
  const bool same_elements = holds(read.type, found.element_type, found.element_size) && same_const;
  switch (read.kind) {
    case ParameterKind::value:
      return holds(read.type, found.type, found.size) &&
             (found.type < TypeClass::pointer || meaning_of(read.type).has_value());
    case ParameterKind::pointer: return found.type == TypeClass::pointer && same_elements;
    case ParameterKind::array:
    case ParameterKind::contiguous_array: {
      const TypeClass wanted = read.kind == ParameterKind::array ? TypeClass::array : TypeClass::contiguous_array;
      return found.type == wanted && same_elements && (read.rank == 0 || read.rank == found.rank);
    }
    case ParameterKind::other: break;  // nothing is passed to it
  }
  return true;
}

std::string type_text(const ParameterLayout& layout) {
  std::string text = type_text(layout.type, layout.size);
  if (layout.type < TypeClass::pointer) return text;
  const char* const qualifier = layout.element_is_const ? "const, " : "";
  const std::string rank = layout.rank > 0 ? fmt::format(" of rank {}", layout.rank) : "";
  return fmt::format("{}{} to {}{}", text, rank, qualifier, type_text(layout.element_type, layout.element_size));
}

}  // namespace

void confirm_types(const Signature& signature, std::span<const ParameterLayout> found) {
  if (found.empty()) return;
  if (found.size() != signature.parameters.size()) {
    throw SignatureError(fmt::format(
        "kernel '{}': its text was read to have the parameters {}, and the compiler finds {}: a macro of another file "
        "holds some: write them out",
        signature.name, to_string(signature), found.size()));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Parameter& read = signature.parameters[i];
    if (holds(read, found[i])) continue;
    throw SignatureError(fmt::format(
        "kernel '{}': parameter {}, '{}', was read as {}, and the compiler finds {}: a macro or an alias of another "
        "file gives its words another meaning: write the type out, or define the alias in the kernel's text",
        signature.name, i + 1, read.declaration, to_string(read), type_text(found[i])));
  }
}

}  // namespace mylos::inline MYLOS_ABI::jit
