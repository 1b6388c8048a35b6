// SPDX-License-Identifier: MIT
// A thread's place in its block and its warp, and values of other lanes. For kernel text: host compilers see nothing of
// it, so that a header shared with the host may include it.
//
// Threads of a block are numbered with x fastest, and each 32 in that order are a warp; the last one may be shorter.
#pragma once

#include <mylos/device/platform.hpp>

#if MYLOS_IN_KERNEL_TEXT || defined(__CUDACC__)

#  if !MYLOS_IN_KERNEL_TEXT
#    include <cstring>
#  endif

namespace mylos::device {

inline constexpr int warp_size = 32;
inline constexpr unsigned full_warp = 0xffffffffU;

/// This thread's number in its block, 0 to block_threads() - 1, and its lane in its warp.
__device__ inline int block_thread() {
  return static_cast<int>(threadIdx.x) +
         static_cast<int>(blockDim.x) *
             (static_cast<int>(threadIdx.y) + static_cast<int>(blockDim.y) * static_cast<int>(threadIdx.z));
}
__device__ inline int block_threads() {
  return static_cast<int>(blockDim.x) * static_cast<int>(blockDim.y) * static_cast<int>(blockDim.z);
}
__device__ inline int lane() { return block_thread() % warp_size; }

/// The mask of the lanes that this thread's warp has: full_warp except in a last warp that is shorter.
__device__ inline unsigned warp_lanes() {
  const int count = block_threads() - block_thread() / warp_size * warp_size;
  return count >= warp_size ? full_warp : (1U << static_cast<unsigned>(count)) - 1U;
}

namespace detail {

// What values go through a shuffle as.
template <bool is_wide>
struct ShuffledWord {
  using type = unsigned;
};
template <>
struct ShuffledWord<true> {
  using type = unsigned long long;
};

}  // namespace detail

/// The value that lane `from` gives, for any trivially copyable T. All lanes of `mask` call it with that mask, which
/// contains them and `from`.
template <class T>
__device__ T shuffle(const T& value, int from, unsigned mask = full_warp) {
  using Word = typename detail::ShuffledWord<sizeof(T) % sizeof(unsigned long long) == 0>::type;
  constexpr int words = (sizeof(T) + sizeof(Word) - 1) / sizeof(Word);
  Word word[words] = {};
  memcpy(word, &value, sizeof(T));
  for (int i = 0; i < words; ++i) word[i] = __shfl_sync(mask, word[i], from);
  T result;
  memcpy(&result, word, sizeof(T));
  return result;
}

namespace detail {

// The number of the n-th set bit, n = 1, 2, ...; -1 if there is none.
__device__ inline int set_bit(unsigned bits, int n) {
  for (; n > 1 && bits != 0; --n) bits &= bits - 1;
  return __ffs(static_cast<int>(bits)) - 1;
}

// The lanes of a mask, in increasing order, as one of them sees them. Masks without gaps, most of all, need no search.
class Lanes {
 public:
  __device__ Lanes(unsigned mask, int lane) : mask_(mask), lane_(lane) {
    const unsigned run = mask >> static_cast<unsigned>(first());
    has_gaps_ = (run & (run + 1U)) != 0;
  }

  __device__ int first() const { return __ffs(static_cast<int>(mask_)) - 1; }

  // The lane that comes `distance` places behind or before this one, -1 if there is none.
  __device__ int behind(int distance) const {
    if (has_gaps_) return set_bit(mask_ & ~((2U << static_cast<unsigned>(lane_)) - 1U), distance);
    return in_run(lane_ + distance);
  }
  __device__ int before(int distance) const {
    if (!has_gaps_) return in_run(lane_ - distance);
    const int mirrored = set_bit(__brev(mask_ & ((1U << static_cast<unsigned>(lane_)) - 1U)), distance);
    return mirrored < 0 ? -1 : warp_size - 1 - mirrored;
  }

 private:
  __device__ int in_run(int lane) const {
    const bool exists = lane >= 0 && lane < warp_size && (mask_ >> static_cast<unsigned>(lane) & 1U) != 0;
    return exists ? lane : -1;
  }

  unsigned mask_;
  int lane_;
  bool has_gaps_;
};

template <class T, int count>
struct Slots {
  alignas(T) unsigned char bytes[sizeof(T) * count];
};
// Static shared memory for `count` values of any type, whose constructors do not run: one array for all calls.
template <class T, int count>
__device__ T* shared_slots() {
  __shared__ Slots<T, count> slots;
  return reinterpret_cast<T*>(slots.bytes);
}

}  // namespace detail
}  // namespace mylos::device

#endif
