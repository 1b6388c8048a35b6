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

// One axis of the launch: this thread's place in the grid, and the number of threads in the grid.
// The block's offset is the same for all its threads, so only the last addition is the thread's own: the emulator's
// loop over the threads of a block then has unit stride and is vectorised.
__device__ inline index_type thread_x() { return static_cast<index_type>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline index_type thread_y() { return static_cast<index_type>(blockIdx.y) * blockDim.y + threadIdx.y; }
__device__ inline index_type thread_z() { return static_cast<index_type>(blockIdx.z) * blockDim.z + threadIdx.z; }
__device__ inline index_type threads_x() { return static_cast<index_type>(gridDim.x) * blockDim.x; }
__device__ inline index_type threads_y() { return static_cast<index_type>(gridDim.y) * blockDim.y; }
__device__ inline index_type threads_z() { return static_cast<index_type>(gridDim.z) * blockDim.z; }

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
