// SPDX-License-Identifier: MIT
// Copies by the threads of a group. Here they are done at once; they are to be relied upon after wait() only.
#pragma once

#include <cooperative_groups.h>

namespace cuda {

template <size_t alignment>
struct aligned_size_t {
  size_t value;
  MYLOS_MEMBER explicit aligned_size_t(size_t bytes) : value(bytes) {}
  MYLOS_MEMBER operator size_t() const { return value; }
};

}  // namespace cuda

namespace cooperative_groups {

template <class Group, class T>
MYLOS_INLINE void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
  const size_t size = bytes / sizeof(T);
  for (size_t i = group.thread_rank(); i < size; i += group.num_threads()) to[i] = from[i];
}
template <class Group>
MYLOS_INLINE void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
  memcpy_async(group, static_cast<char*>(to), static_cast<const char*>(from), bytes);
}
template <class Group>
MYLOS_INLINE void wait(const Group& group, mylos_where where = mylos_called_at()) { group.sync(where); }
template <unsigned stages, class Group>
MYLOS_INLINE void wait_prior(const Group& group, mylos_where where = mylos_called_at()) { group.sync(where); }

}  // namespace cooperative_groups
