// SPDX-License-Identifier: MIT
#include <mylos/core/spaces.hpp>

#include <gtest/gtest.h>

#include <mylos/core/view_traits.hpp>

namespace mylos_test {
namespace {

using mylos::Device;
using mylos::DeviceSpace;
using mylos::HostSpace;

TEST(Spaces, AreWhatKokkosCallsSpaces) {
  static_assert(Kokkos::is_memory_space_v<DeviceSpace> && Kokkos::is_execution_space_v<Device>);
  static_assert(std::is_same_v<DeviceSpace::execution_space, Device>);
  static_assert(sizeof(Device) <= 2 * sizeof(void*));
}

TEST(Spaces, AccessibilityIsThatOfCudaSpace) {
  static_assert(!Kokkos::SpaceAccessibility<HostSpace, DeviceSpace>::accessible);
  static_assert(!Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace, DeviceSpace>::accessible);
  static_assert(Kokkos::SpaceAccessibility<Device, DeviceSpace>::accessible);
  static_assert(!Kokkos::SpaceAccessibility<Device, HostSpace>::accessible);
}

TEST(Spaces, ViewsHaveTheTypesThatCudaSpaceGives) {
  using DeviceMatrix = Kokkos::View<double**, DeviceSpace>;
  using HostMatrix = Kokkos::View<double**, HostSpace>;
  static_assert(std::is_same_v<DeviceMatrix::array_layout, Kokkos::LayoutLeft>);
  static_assert(std::is_same_v<DeviceMatrix::host_mirror_type::memory_space, HostSpace>);
  static_assert(!std::is_assignable_v<HostMatrix&, DeviceMatrix>);
  static_assert(!std::is_constructible_v<DeviceMatrix, HostMatrix>);
}

TEST(Spaces, RunsFunctorsTellsWhereLoopsRun) {
  static_assert(mylos::runs_functors_v<HostSpace>);
  static_assert(mylos::runs_functors_v<Kokkos::DefaultHostExecutionSpace>);
#ifdef KOKKOS_ENABLE_CUDA
  static_assert(mylos::runs_functors_v<DeviceSpace>);
#else
  static_assert(!mylos::runs_functors_v<DeviceSpace> && !mylos::runs_functors_v<Device>);
#endif
}

TEST(Spaces, ContiguousCopiesGoBothWays) {
  const Kokkos::View<double*, DeviceSpace> device("device", 5);
  const auto host = Kokkos::create_mirror_view(device);
  for (int i = 0; i < 5; ++i) host(i) = i + 0.5;
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(host, 0.0);
  Kokkos::deep_copy(host, device);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(host(i), i + 0.5);
}

}  // namespace
}  // namespace mylos_test
