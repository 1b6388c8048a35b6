// SPDX-License-Identifier: MIT
#include "kernel/layout_check.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "kernel/argument_table.hpp"
#include "kernel/parameter_type.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

[[noreturn]] void fail(const Call& call, std::size_t i, std::uint32_t size, std::uint32_t alignment) {
  const ArgumentType& type = *call.arguments[i].type;
  const Parameter& parameter = call.signature->parameters[i];
  throw SignatureError(
      fmt::format("kernel '{}': argument {}, {}, does not fit parameter '{}': {} {} bytes and alignment {}, {} has {} "
                  "and {} in the kernel: both are to be the same type: include one header on both sides{}",
                  call.kernel, i + 1, describe(call.arguments[i]), parameter.declaration,
                  type.is_view ? "its elements have" : "it has", type.size, type.alignment, parameter.type, size,
                  alignment, side_by_side(*call.signature, call.arguments, {{i}})));
}

}  // namespace

void check_layouts(const Call& call, std::span<const ParameterLayout> layouts) {
  if (call.signature == nullptr) return;
  for (std::size_t i = 0; i < std::min(layouts.size(), call.arguments.size()); ++i) {
    const ArgumentType& type = *call.arguments[i].type;
    const ElementType known = element_type(call.signature->parameters[i].type);
    if (known.size > 0 || known.is_void) continue;  // compared by name, before anything was compiled
    const ParameterLayout& layout = layouts[i];
    const std::uint32_t size = type.is_view ? layout.element_size : layout.size;
    const std::uint32_t alignment = type.is_view ? layout.element_alignment : layout.alignment;
    if (size == 0) continue;
    const bool aligned = type.is_view ? type.alignment % alignment == 0 : type.alignment == alignment;
    if (type.size != size || !aligned) fail(call, i, size, alignment);
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
