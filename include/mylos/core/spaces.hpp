// SPDX-License-Identifier: MIT
// The two memory spaces that a program is written for, and the device's execution space.
#pragma once

#include <type_traits>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>

#ifndef KOKKOS_ENABLE_CUDA
#  include <mylos/core/detail/kokkos_device_space.hpp>
#endif

namespace mylos::inline MYLOS_ABI {

using HostSpace = Kokkos::HostSpace;

#ifdef KOKKOS_ENABLE_CUDA
using DeviceSpace = Kokkos::CudaSpace;
using Device = Kokkos::Cuda;
#endif
// Else both are Mylos' own (core/detail/device.hpp): memory of the CUDA driver or of the emulator, the same for Kokkos.

namespace detail {

template <class Space>
consteval bool runs_functors() {
#ifdef KOKKOS_ENABLE_CUDA
  return true;
#else
  return !std::is_same_v<typename Space::execution_space, Device>;
#endif
}

}  // namespace detail

/// Whether this build can run a Kokkos functor on `Space` (a memory or an execution space). False for DeviceSpace in a
/// build whose Kokkos has no CUDA: kernels with a .cu port run there, loops of Kokkos do not compile.
template <class Space>
inline constexpr bool runs_functors_v = detail::runs_functors<Space>();

}  // namespace mylos::inline MYLOS_ABI
