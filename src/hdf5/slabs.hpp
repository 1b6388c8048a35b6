// SPDX-License-Identifier: MIT
// Boxes of limited size that cover an array: what is packed and written, or read and unpacked, at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <mylos/base/abi.hpp>
#include <mylos/core/detail/strided.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

using Index = std::array<std::int64_t, mylos::detail::max_rank>;

struct Slab { Index start{}, count{}; };

/// Calls visit(slab) for slabs of at most `limit` elements (at least one) that cover the extents in index order.
/// Each is one index on the first axes, a range on one axis, and all of the axes behind.
template <class Visit>
void for_each_slab(int rank, const Index& extents, std::int64_t limit, Visit&& visit) {
  std::int64_t inner = 1;  // elements of the axes that are never cut
  int cut = rank;          // the axis that is
  while (cut > 0 && inner * extents[static_cast<std::size_t>(cut - 1)] <= limit) {
    inner *= extents[static_cast<std::size_t>(--cut)];
  }
  Slab slab{.count = extents};
  if (cut == 0) return visit(slab);
  const auto axis = static_cast<std::size_t>(cut - 1);
  const std::int64_t step = std::max<std::int64_t>(1, limit / inner);
  std::fill_n(slab.count.begin(), axis, 1);
  while (true) {
    for (slab.start[axis] = 0; slab.start[axis] < extents[axis]; slab.start[axis] += step) {
      slab.count[axis] = std::min(step, extents[axis] - slab.start[axis]);
      visit(slab);
    }
    std::size_t d = axis;
    while (d > 0 && ++slab.start[d - 1] == extents[d - 1]) slab.start[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
