// SPDX-License-Identifier: MIT
// Reductions over tiles and coalesced groups.
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {

#define MYLOS_OPERATION(name, expression)                              \
  template <class T>                                                   \
  struct name {                                                        \
    MYLOS_MEMBER T operator()(T x, T y) const { return expression; }   \
  };
MYLOS_OPERATION(plus, x + y)
MYLOS_OPERATION(less, y < x ? y : x)
MYLOS_OPERATION(greater, x < y ? y : x)
MYLOS_OPERATION(bit_and, x & y)
MYLOS_OPERATION(bit_or, x | y)
MYLOS_OPERATION(bit_xor, x ^ y)
#undef MYLOS_OPERATION

/// The same bits in every thread of a tile: halves are exchanged.
template <unsigned Size, class Parent, class T, class Operation>
MYLOS_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, const T& value, Operation operation,
                      mylos_where where = mylos_called_at()) {
  T result = value;
  for (unsigned distance = Size / 2u; distance > 0u; distance /= 2u) {
    const T other = tile.shfl_xor(result, distance, where);
    result = (tile.thread_rank() & distance) != 0u ? operation(other, result) : operation(result, other);
  }
  return result;
}
/// In the order of the ranks.
template <class T, class Operation>
MYLOS_INLINE T reduce(const coalesced_group& group, const T& value, Operation operation,
                      mylos_where where = mylos_called_at()) {
  T result = group.shfl(value, 0, where);
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    result = operation(result, group.shfl(value, static_cast<int>(rank), where));
  }
  return result;
}

}  // namespace cooperative_groups
