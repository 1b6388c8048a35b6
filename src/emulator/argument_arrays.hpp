// SPDX-License-Identifier: MIT
// The arrays that a launch was given, read from its arguments: what elements they have, and which one is at an address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <mylos/base/abi.hpp>

#include "emulator/loader.hpp"
#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// A pointer, a mylos::Array or a mylos::ContiguousArray.
struct ArgumentArray {
  struct Axis {
    std::int64_t extent = 0, stride = 0;  // in elements
  };
  std::uintptr_t data = 0;
  unsigned element_type = mylos_other;  // mylos_type_class
  std::size_t element_bytes = 0;        // 0: not known
  std::vector<Axis> axes;               // none of a pointer
};

[[nodiscard]] std::vector<ArgumentArray> arrays_of(const Module& module, const mylos_launch& launch);

/// The indices of the element at an address, in the first of the arrays that has several axes and the address.
[[nodiscard]] std::optional<std::vector<std::int64_t>> multi_index(const std::vector<ArgumentArray>& arrays,
                                                                   std::uintptr_t address);
/// The same of an address in front of or behind the memory in which the array begins: along the axis with the largest
/// stride, the index may be any.
[[nodiscard]] std::optional<std::vector<std::int64_t>> multi_index_beside(const std::vector<ArgumentArray>& arrays,
                                                                          std::uintptr_t address, std::uintptr_t memory,
                                                                          std::size_t bytes);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
