// SPDX-License-Identifier: MIT
// Sums, minima, maxima and other reductions over the lanes of a warp and the threads of a block. For kernel text: host
// compilers see only the operations (Plus, Minimum, Maximum).
//
//   const double sum = mylos::device::block_sum(value);       // every thread of the block calls it, and has the result
//   mylos::device::block_sum_to(&total[0], value);            // one atomic addition for each block
//
// T is trivially copyable (numbers, mylos::complex, structs); an operation is associative, and need not be commutative:
// values keep the order of their threads. That order, and so every bit of the result, depends on nothing but the number
// of threads (of lanes in the mask): neighbours first, ((v0 v1) (v2 v3)) ((v4 v5) ...), within each warp; then warp
// after warp.
// Blocks have any shape of 1 to 3 dimensions and any number of threads. All threads call block_*: none may have left
// the kernel, and all are at the same call. Each type T takes 33 sizeof(T) bytes of static shared memory, and a call
// has two barriers.
#pragma once

#include <mylos/device/atomic.hpp>
#include <mylos/device/math.hpp>
#include <mylos/device/platform.hpp>
#include <mylos/device/warp.hpp>

namespace mylos::device {

struct Plus {
  template <class T>
  MYLOS_FUNCTION constexpr T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
/// NaN if one is NaN, as mylos::device::min and max.
struct Minimum {
  template <class T>
  MYLOS_FUNCTION constexpr T operator()(T a, T b) const {
    return ::mylos::device::min(a, b);
  }
};
struct Maximum {
  template <class T>
  MYLOS_FUNCTION constexpr T operator()(T a, T b) const {
    return ::mylos::device::max(a, b);
  }
};

#if MYLOS_IN_KERNEL_TEXT || defined(__CUDACC__)

namespace detail {

// The first lane of the mask has the result.
template <class T, class Operation>
__device__ T reduce_to_first_lane(T value, Operation operation, unsigned mask) {
  const int mine = lane();
  const Lanes lanes(mask, mine);
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const int from = lanes.behind(distance);
    const T other = shuffle(value, from < 0 ? mine : from, mask);
    if (from >= 0) value = operation(value, other);
  }
  return value;
}

}  // namespace detail

/// The reduction over the lanes of `mask`, which all call it with that mask; each of them has the result.
template <class T, class Operation>
__device__ T warp_reduce(T value, Operation operation, unsigned mask = full_warp) {
  return shuffle(detail::reduce_to_first_lane(value, operation, mask), __ffs(static_cast<int>(mask)) - 1, mask);
}
template <class T>
__device__ T warp_sum(T value, unsigned mask = full_warp) {
  return warp_reduce(value, Plus{}, mask);
}
template <class T>
__device__ T warp_min(T value, unsigned mask = full_warp) {
  return warp_reduce(value, Minimum{}, mask);
}
template <class T>
__device__ T warp_max(T value, unsigned mask = full_warp) {
  return warp_reduce(value, Maximum{}, mask);
}

/// The reduction over the threads of the block; each of them has the result.
template <class T, class Operation>
__device__ T block_reduce(T value, Operation operation) {
  // A result has a place of its own: it is read while the next call's parts are written, but not its result.
  T* const parts = detail::shared_slots<T, warp_size + 1>();
  T* const result = parts + warp_size;
  value = detail::reduce_to_first_lane(value, operation, warp_lanes());
  if (lane() == 0) parts[block_thread() / warp_size] = value;
  __syncthreads();
  if (block_thread() == 0) {
    for (int warp = 1; warp * warp_size < block_threads(); ++warp) value = operation(value, parts[warp]);
    *result = value;
  }
  __syncthreads();
  return *result;
}
template <class T>
__device__ T block_sum(T value) {
  return block_reduce(value, Plus{});
}
template <class T>
__device__ T block_min(T value) {
  return block_reduce(value, Minimum{});
}
template <class T>
__device__ T block_max(T value) {
  return block_reduce(value, Maximum{});
}

/// *sum += the block's sum, atomically, once for each block. (The order of the blocks is not defined.)
template <class T>
__device__ void block_sum_to(T* sum, detail::exactly<T> value) {
  const T total = block_sum<T>(value);
  if (block_thread() == 0) atomic_add(sum, total);
}

#endif

}  // namespace mylos::device
