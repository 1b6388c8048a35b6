// SPDX-License-Identifier: MIT
#include "core/loops.hpp"

#include <algorithm>
#include <cstdlib>

namespace mylos::inline MYLOS_ABI::detail {

void Loops::append(const Axis& inner) {
  if (inner.extent == 1) return;
  if (last().extent == 1) {
    last() = inner;
  } else if (last().destination_stride == inner.extent * inner.destination_stride &&
             last().source_stride == inner.extent * inner.source_stride) {
    last() = {last().extent * inner.extent, inner.destination_stride, inner.source_stride};
  } else {
    axes[static_cast<std::size_t>(count++)] = inner;
  }
}

Loops loops_over(const StridedBlock& destination, const StridedBlock& source) {
  std::array<Axis, max_rank> sorted{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(destination.rank); ++axis) {
    sorted[axis] = {destination.extents[axis], destination.strides[axis], source.strides[axis]};
  }
  std::stable_sort(sorted.begin(), sorted.begin() + destination.rank, [](const Axis& a, const Axis& b) {
    return std::abs(a.destination_stride) > std::abs(b.destination_stride);
  });
  Loops loops;
  for (int axis = 0; axis < destination.rank; ++axis) loops.append(sorted[static_cast<std::size_t>(axis)]);
  return loops;
}

}  // namespace mylos::inline MYLOS_ABI::detail
