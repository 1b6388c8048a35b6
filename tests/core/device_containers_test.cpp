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
  Device().fence();
  expect_all(by_device.view_host(), 2.0);
}

TEST(DynRankView, IsFilledAndCopied) {
  const Kokkos::DynRankView<double, DeviceSpace> device("device", 3, 2);
  Kokkos::deep_copy(device, 2.0);
  const auto host = Kokkos::create_mirror_view(device);
  Kokkos::deep_copy(host, device);
  EXPECT_EQ(host(2, 1), 2.0);
}

TEST(DynRankView, KeepsWhatFitsWhenItIsResized) {
  Kokkos::DynRankView<int, DeviceSpace> device("device", 3, 4, 2);
  auto host = Kokkos::create_mirror_view(device);
  const auto number = [](std::size_t i, std::size_t j, std::size_t k) {
    return static_cast<int>(100 * i + 10 * j + k);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 2; ++k) host(i, j, k) = number(i, j, k);
    }
  }
  Kokkos::deep_copy(device, host);
  Kokkos::resize(device, 5, 2, 2);
  ASSERT_EQ(device.label(), "device");
  auto resized = Kokkos::create_mirror_view(device);
  Kokkos::deep_copy(resized, device);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(resized(i, j, k), i < 3 ? number(i, j, k) : 0) << i << j << k;
    }
  }
  Kokkos::resize(device, 0, 2, 2);
  EXPECT_EQ(device.size(), 0U);
  Kokkos::resize(device, 2, 1, 1);
  Kokkos::realloc(device, 6, 1, 1);
  EXPECT_EQ(device.extent(0), 6U);
}

TEST(DynRankView, IsResizedOnAStream) {
  Kokkos::DynRankView<double, Kokkos::LayoutRight, DeviceSpace> device("device", 2, 3);
  Kokkos::deep_copy(device, 4.0);
  const Device stream;
  Kokkos::resize(Kokkos::view_alloc(stream), device, 3, 2);
  const auto host = Kokkos::create_mirror_view(device);
  Kokkos::deep_copy(host, device);
  EXPECT_EQ(host(1, 1), 4.0);
  EXPECT_EQ(host(2, 1), 0.0);
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
