// SPDX-License-Identifier: MIT
// The uses of a View that hold for every rank, once per layout: device_ranks_left_test.cpp,
// device_ranks_right_test.cpp.
#pragma once

#include <Kokkos_Core.hpp>

#include "core/support.hpp"

namespace mylos_test {

template <class V>
class DeviceRanks : public ::testing::Test {
 protected:
  using Mirror = typename V::host_mirror_type;

  Random random;
  V device = make_view<V>("device");
  Mirror host = Kokkos::create_mirror_view(device);
  Mirror reference = Kokkos::create_mirror(device);
};
TYPED_TEST_SUITE_P(DeviceRanks);

TYPED_TEST_P(DeviceRanks, CopiesReturnWhatWasSent) {
  randomize(this->reference, this->random);
  Kokkos::deep_copy(this->device, this->reference);
  Kokkos::deep_copy(this->host, this->device);
  expect_equal(this->host, this->reference);
}

TYPED_TEST_P(DeviceRanks, AreZeroWhenMade) { expect_all(on_host(this->device), 0.0); }

TYPED_TEST_P(DeviceRanks, FillsWithAnyValue) {
  for (const double value : {2.5, 0.0, -1.0}) {
    Kokkos::deep_copy(this->device, value);
    expect_all(on_host(this->device), value);
  }
}

TYPED_TEST_P(DeviceRanks, CopiesWithinTheDevice) {
  randomize(this->reference, this->random);
  const TypeParam source = make_view<TypeParam>("source");
  Kokkos::deep_copy(source, this->reference);
  Kokkos::deep_copy(this->device, source);
  expect_equal(on_host(this->device), this->reference);
}

TYPED_TEST_P(DeviceRanks, CopiesToTheOtherLayoutWithinTheDevice) {
  using Other = Kokkos::View<typename TypeParam::data_type,
                             std::conditional_t<std::is_same_v<typename TypeParam::array_layout, Kokkos::LayoutLeft>,
                                                Kokkos::LayoutRight, Kokkos::LayoutLeft>,
                             DeviceSpace>;
  randomize(this->reference, this->random);
  Kokkos::deep_copy(this->device, this->reference);
  const Other other = make_view<Other>("other");
  Kokkos::deep_copy(other, this->device);
  expect_equal(on_host(other), this->reference);
}

REGISTER_TYPED_TEST_SUITE_P(DeviceRanks, CopiesReturnWhatWasSent, AreZeroWhenMade, FillsWithAnyValue,
                            CopiesWithinTheDevice, CopiesToTheOtherLayoutWithinTheDevice);

template <class Layout>
using AllRanks =
    ::testing::Types<Kokkos::View<double, Layout, DeviceSpace>, Kokkos::View<double*, Layout, DeviceSpace>,
                     Kokkos::View<double**, Layout, DeviceSpace>, Kokkos::View<double***, Layout, DeviceSpace>,
                     Kokkos::View<double****, Layout, DeviceSpace>, Kokkos::View<double*****, Layout, DeviceSpace>,
                     Kokkos::View<double******, Layout, DeviceSpace>, Kokkos::View<double*******, Layout, DeviceSpace>,
                     Kokkos::View<double********, Layout, DeviceSpace>>;

}  // namespace mylos_test
