// SPDX-License-Identifier: MIT
// Prefix sums and other scans over the lanes of a warp and the threads of a block. For kernel text: host compilers see
// nothing of it.
//
//   const int offset = mylos::device::block_exclusive_sum(keep ? 1 : 0, &kept);   // where this thread's element goes
//
// The inclusive scan of a thread combines the values of all threads before it and its own, the exclusive one only of
// those before it. Exclusive scans are the inclusive ones moved by one thread, not a difference: a 1 next to a 1e20 is
// not lost. Types, operations, masks and blocks are as in reduce.hpp. The order of combinations
// depends on the number of threads only, so that a result has the same bits in every run. Each type T takes
// 64 sizeof(T) bytes of static shared memory, and a call has two barriers. Scans of one block: not of the grid.
#pragma once

#include <mylos/device/platform.hpp>
#include <mylos/device/reduce.hpp>
#include <mylos/device/warp.hpp>

#if MYLOS_IN_KERNEL_TEXT || defined(__CUDACC__)

namespace mylos::device {

/// Over the lanes of `mask`, in increasing order; all of them call it with that mask.
template <class T, class Operation>
__device__ T warp_inclusive_scan(T value, Operation operation, unsigned mask = full_warp) {
  const int mine = lane();
  const detail::Lanes lanes(mask, mine);
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const int from = lanes.before(distance);
    const T other = shuffle(value, from < 0 ? mine : from, mask);
    if (from >= 0) value = operation(other, value);
  }
  return value;
}

namespace detail {

// What the lane before this one has; the first lane: `first`.
template <class T>
__device__ T of_lane_before(const T& value, const T& first, unsigned mask) {
  const int mine = lane();
  const int from = Lanes(mask, mine).before(1);
  const T other = shuffle(value, from < 0 ? mine : from, mask);
  return from < 0 ? first : other;
}

// A thread's scans, where `before` is of no use in the first thread.
template <class T>
struct Scans {
  T inclusive, before;
};

template <class T, class Operation>
__device__ Scans<T> scan_warp(T value, Operation operation) {
  const T inclusive = warp_inclusive_scan(value, operation, warp_lanes());
  return {inclusive, of_lane_before(inclusive, inclusive, warp_lanes())};
}

template <class T, class Operation>
__device__ Scans<T> block_scan(T value, Operation operation, T* total) {
  // The scans over warps have places of their own: they are read while the next call's sums are written.
  T* const of_warp = shared_slots<T, 2 * warp_size>();
  T* const through_warp = of_warp + warp_size;
  const int warp = block_thread() / warp_size;
  const int warps = (block_threads() + warp_size - 1) / warp_size;
  Scans<T> result = scan_warp(value, operation);
  if (lane() == __popc(warp_lanes()) - 1) of_warp[warp] = result.inclusive;
  __syncthreads();
  if (block_thread() == 0) {
    T through = of_warp[0];
    through_warp[0] = through;
    for (int i = 1; i < warps; ++i) through_warp[i] = through = operation(through, of_warp[i]);
  }
  __syncthreads();
  if (warp > 0) {
    const T before = through_warp[warp - 1];
    result.before = lane() == 0 ? before : operation(before, result.before);
    result.inclusive = operation(before, result.inclusive);
  }
  if (total != nullptr) *total = through_warp[warps - 1];
  return result;
}

}  // namespace detail

/// As warp_inclusive_scan; the first lane has `identity`.
template <class T, class Operation>
__device__ T warp_exclusive_scan(T value, Operation operation, detail::exactly<T> identity, unsigned mask = full_warp) {
  return detail::of_lane_before<T>(warp_inclusive_scan(value, operation, mask), identity, mask);
}
template <class T>
__device__ T warp_inclusive_sum(T value, unsigned mask = full_warp) {
  return warp_inclusive_scan(value, Plus{}, mask);
}
template <class T>
__device__ T warp_exclusive_sum(T value, unsigned mask = full_warp) {
  return warp_exclusive_scan(value, Plus{}, T(), mask);
}

/// Over the threads of the block. *total, in each thread's own memory, becomes the result of the last thread.
template <class T, class Operation>
__device__ T block_inclusive_scan(T value, Operation operation, T* total = nullptr) {
  return detail::block_scan(value, operation, total).inclusive;
}
/// As block_inclusive_scan; the first thread has `identity`. *total includes the last thread's value.
template <class T, class Operation>
__device__ T block_exclusive_scan(T value, Operation operation, detail::exactly<T> identity, T* total = nullptr) {
  const T before = detail::block_scan(value, operation, total).before;
  return block_thread() == 0 ? identity : before;
}
template <class T>
__device__ T block_inclusive_sum(T value, T* total = nullptr) {
  return block_inclusive_scan(value, Plus{}, total);
}
template <class T>
__device__ T block_exclusive_sum(T value, T* total = nullptr) {
  return block_exclusive_scan(value, Plus{}, T(), total);
}

}  // namespace mylos::device

#endif
