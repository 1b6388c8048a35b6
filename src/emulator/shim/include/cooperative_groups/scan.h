// SPDX-License-Identifier: MIT
// Scans over tiles and coalesced groups.
#pragma once

#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

template <class Group, class T, class Operation = plus<T>>
MYLOS_INLINE T inclusive_scan(const Group& group, T value, Operation operation = {},
                              mylos_where where = mylos_called_at()) {
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2u) {
    const T other = group.shfl_up(value, distance, where);
    if (group.thread_rank() >= distance) value = operation(other, value);
  }
  return value;
}
/// T() in the first thread.
template <class Group, class T, class Operation = plus<T>>
MYLOS_INLINE T exclusive_scan(const Group& group, T value, Operation operation = {},
                              mylos_where where = mylos_called_at()) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation, where), 1u, where);
  return group.thread_rank() == 0 ? T() : before;
}

}  // namespace cooperative_groups
