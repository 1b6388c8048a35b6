// SPDX-License-Identifier: MIT
// What the kernel language's types are, by their canonical names (jit::canonical_type).
#pragma once

#include <cstdint>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/arguments.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Fundamental types, complex numbers and CUDA's vector types are known; for others size and alignment are 0: only a
/// compiler knows them.
struct ElementType {
  ValueKind kind = ValueKind::other;
  std::uint32_t size = 0, alignment = 0;
  bool is_void = false;
};

[[nodiscard]] ElementType element_type(std::string_view canonical_name);

}  // namespace mylos::inline MYLOS_ABI::detail
