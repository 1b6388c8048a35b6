// SPDX-License-Identifier: MIT
// Where a device header is being compiled: by a host compiler (plain C++, Kokkos functors), by nvcc, by NVRTC, or for
// Mylos' emulator. Every header of this folder compiles alone in all four, as C++17 or newer.
#pragma once

// Marks a function that runs on the host and on the device, as KOKKOS_FUNCTION does, without Kokkos.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIPCC__)
#  define MYLOS_FUNCTION __host__ __device__
#else
#  define MYLOS_FUNCTION
#endif

// 1 where the text is a CUDA kernel's own (threadIdx, atomicAdd and the like exist), 0 in host code.
#if defined(__CUDACC_RTC__) || defined(MYLOS_EMULATOR)
#  define MYLOS_IN_KERNEL_TEXT 1
#else
#  define MYLOS_IN_KERNEL_TEXT 0
#endif

namespace mylos::device::detail {

// exactly<T> is T, but T is not deduced from it: of f(T x, exactly<T> y) the first argument alone says what T is.
template <class T>
struct Exactly {
  using type = T;
};
template <class T>
using exactly = typename Exactly<T>::type;

}  // namespace mylos::device::detail
