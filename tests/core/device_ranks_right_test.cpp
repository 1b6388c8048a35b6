// SPDX-License-Identifier: MIT
#include "core/device_ranks.hpp"

namespace mylos_test {

INSTANTIATE_TYPED_TEST_SUITE_P(LayoutRight, DeviceRanks, AllRanks<Kokkos::LayoutRight>);

}  // namespace mylos_test
