// SPDX-License-Identifier: MIT
// The loops over a pair of blocks, for the host and for the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <mylos/base/abi.hpp>
#include <mylos/core/detail/strided.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Strides in bytes.
struct Axis { std::int64_t extent = 1, destination_stride = 0, source_stride = 0; };

/// Longest destination strides outermost, axes that continue each other merged, axes of extent 1 dropped. The last axis
/// is the innermost one; there is always at least one.
struct Loops {
  std::array<Axis, max_rank + 1> axes{};
  int count = 1;

  [[nodiscard]] Axis& last() { return axes[static_cast<std::size_t>(count - 1)]; }
  [[nodiscard]] const Axis& last() const { return axes[static_cast<std::size_t>(count - 1)]; }
  /// Makes this the innermost axis.
  void append(const Axis& inner);
};

/// Extents are equal.
[[nodiscard]] Loops loops_over(const StridedBlock& destination, const StridedBlock& source);

}  // namespace mylos::inline MYLOS_ABI::detail
