// SPDX-License-Identifier: MIT
// Kokkos' containers on the device.
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include "core/support.hpp"

namespace mylos_test {
namespace {

TEST(DualView, SyncsBothWays) {
  Kokkos::DualView<double*, DeviceSpace> dual("dual", 5);
  dual.view_host()(2) = 3;
  dual.modify_host();
  dual.sync_device();
  EXPECT_EQ(on_host(dual.view_device())(2), 3);
  Kokkos::deep_copy(dual.view_device(), 8.0);
  dual.modify_device();
  dual.sync_host();
  expect_all(dual.view_host(), 8.0);
}

TEST(DualView, IsResized) {
  Kokkos::DualView<double*, DeviceSpace> dual("dual", 5);
  Kokkos::deep_copy(dual.view_device(), 8.0);
  dual.modify_device();
  dual.resize(9);
  dual.sync_host();
  EXPECT_EQ(dual.view_host()(4), 8.0);
  EXPECT_EQ(dual.view_host().extent(0), 9U);
  dual.realloc(3);
  EXPECT_EQ(dual.view_device().extent(0), 3U);
}

TEST(DualView, TakesSpacesAndTheDeviceAsNames) {
  Kokkos::DualView<double**, Kokkos::LayoutRight, DeviceSpace> by_space("by_space", 3, 2);
  by_space.clear_sync_state();
  by_space.view_host()(1, 1) = 4;
  by_space.modify<HostSpace>();
  by_space.sync<DeviceSpace>();
  EXPECT_EQ(on_host(by_space.view<DeviceSpace>())(1, 1), 4);
  Kokkos::DualView<double*, Device> by_device("by_device", 5);
  Kokkos::deep_copy(by_device.view_device(), 2.0);
  by_device.modify_device();
  by_device.sync_host(Device());
  expect_all(by_device.view_host(), 2.0);
}

TEST(DynRankView, IsFilledAndCopied) {
  const Kokkos::DynRankView<double, DeviceSpace> device("device", 3, 2);
  Kokkos::deep_copy(device, 2.0);
  const auto host = Kokkos::create_mirror_view(device);
  Kokkos::deep_copy(host, device);
  EXPECT_EQ(host(2, 1), 2.0);
}

TEST(OffsetView, IsFilledAndCopied) {
  const Kokkos::Experimental::OffsetView<double*, DeviceSpace> device("device", {-1, 3});
  Kokkos::deep_copy(device, 2.0);
  const auto host = Kokkos::create_mirror_view(device);
  Kokkos::deep_copy(host, device);
  EXPECT_EQ(host(-1), 2.0);
  EXPECT_EQ(host(3), 2.0);
}

TEST(UnorderedMap, IsMadeAndCopiedFromTheHost) {
  using Map = Kokkos::UnorderedMap<int, double, Device>;
  Map::host_mirror_type host(100);
  host.insert(7, 1.5);
  Map device(100);
  EXPECT_GE(device.capacity(), 100U);
  Kokkos::deep_copy(device, host);
  Map::host_mirror_type back(100);
  Kokkos::deep_copy(back, device);
  ASSERT_TRUE(back.exists(7));
  EXPECT_EQ(back.value_at(back.find(7)), 1.5);
}

}  // namespace
}  // namespace mylos_test
