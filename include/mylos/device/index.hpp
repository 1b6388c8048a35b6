// SPDX-License-Identifier: MIT
// The index of a thread in kernel text, in 64 bits: 2^31 elements are nothing unusual, and
// `int i = blockIdx.x * blockDim.x + threadIdx.x` silently wraps there.
//
//   extern "C" __global__ void axpy(double* y, const double* x, double a, long long n) {
//     MYLOS_THREAD_1D(i, n);
//     y[i] += a * x[i];
//   }
//
// MYLOS_THREAD_* leave the kernel in threads beyond the extents: not before a __syncthreads() or a warp operation.
// x is the fastest axis, and the first index.
#pragma once

#include <mylos/device/integers.hpp>
#include <mylos/device/platform.hpp>

namespace mylos::device {

using index_type = std::int64_t;

#if MYLOS_IN_KERNEL_TEXT || defined(__CUDACC__)

namespace detail {

// offset + thread, and grid * block, in 64 bits.
#  if defined(MYLOS_EMULATOR) && !defined(MYLOS_PLAIN_INDICES)
// The emulator's index types have products and sums without wrap (launches of 2^31 threads along an axis define
// MYLOS_PLAIN_INDICES), and an index without wrap is what lets its loop over the threads be vectorised.
template <class B, class E, class T>
__device__ inline index_type thread_index(B block, E extent, T thread) {
  return static_cast<index_type>(block * extent + thread);
}
template <class G, class E>
__device__ inline index_type thread_count(G grid, E extent) {
  return static_cast<index_type>(grid * extent);
}
#  else
__device__ inline index_type thread_index(unsigned block, unsigned extent, unsigned thread) {
  return static_cast<index_type>(block) * extent + thread;
}
__device__ inline index_type thread_count(unsigned grid, unsigned extent) {
  return static_cast<index_type>(grid) * extent;
}
#  endif

}  // namespace detail

// This thread's place along an axis of the grid, and the number of threads along it.
__device__ inline index_type thread_x() { return detail::thread_index(blockIdx.x, blockDim.x, threadIdx.x); }
__device__ inline index_type thread_y() { return detail::thread_index(blockIdx.y, blockDim.y, threadIdx.y); }
__device__ inline index_type thread_z() { return detail::thread_index(blockIdx.z, blockDim.z, threadIdx.z); }
__device__ inline index_type threads_x() { return detail::thread_count(gridDim.x, blockDim.x); }
__device__ inline index_type threads_y() { return detail::thread_count(gridDim.y, blockDim.y); }
__device__ inline index_type threads_z() { return detail::thread_count(gridDim.z, blockDim.z); }

#endif

}  // namespace mylos::device

/// Declares `i`, this thread's index, and returns from the kernel unless i < n.
#define MYLOS_THREAD_1D(i, n)                                        \
  const ::mylos::device::index_type i = ::mylos::device::thread_x(); \
  if (i >= static_cast<::mylos::device::index_type>(n)) return

/// Declares `i` (along x) and `j` (along y), and returns unless i < nx and j < ny.
#define MYLOS_THREAD_2D(i, j, nx, ny)                                \
  const ::mylos::device::index_type i = ::mylos::device::thread_x(); \
  const ::mylos::device::index_type j = ::mylos::device::thread_y(); \
  if (i >= static_cast<::mylos::device::index_type>(nx) || j >= static_cast<::mylos::device::index_type>(ny)) return

/// Declares `i`, `j`, `k` along x, y and z, and returns unless all are below their extents.
#define MYLOS_THREAD_3D(i, j, k, nx, ny, nz)                                                                    \
  const ::mylos::device::index_type i = ::mylos::device::thread_x();                                            \
  const ::mylos::device::index_type j = ::mylos::device::thread_y();                                            \
  const ::mylos::device::index_type k = ::mylos::device::thread_z();                                            \
  if (i >= static_cast<::mylos::device::index_type>(nx) || j >= static_cast<::mylos::device::index_type>(ny) || \
      k >= static_cast<::mylos::device::index_type>(nz))                                                        \
  return

/// A loop over 0 <= i < n in which the whole grid takes part, whatever its size: MYLOS_GRID_STRIDE_1D(i, n) { ... }
#define MYLOS_GRID_STRIDE_1D(i, n)                                                              \
  for (::mylos::device::index_type i = ::mylos::device::thread_x(),                             \
                                   mylos_end_##i = static_cast<::mylos::device::index_type>(n), \
                                   mylos_step_##i = ::mylos::device::threads_x();               \
       i < mylos_end_##i; i += mylos_step_##i)
