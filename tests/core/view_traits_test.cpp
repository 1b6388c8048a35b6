// SPDX-License-Identifier: MIT
#include <mylos/core/view_traits.hpp>

#include <mylos/base/error.hpp>

#include "core/support.hpp"
#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using DeviceView = Kokkos::View<double*, DeviceSpace>;
using StridedHostView = Kokkos::View<const float**, Kokkos::LayoutStride, HostSpace>;

TEST(ViewTraits, TellViewsFromOthers) {
  static_assert(mylos::AnyView<DeviceView> && mylos::AnyView<const StridedHostView&>);
  static_assert(!mylos::AnyView<double> && !mylos::AnyView<double*> && !mylos::AnyView<std::string>);
}

TEST(ViewTraits, TellWhereTheMemoryIs) {
  static_assert(mylos::is_device_view_v<DeviceView> && !mylos::is_device_view_v<StridedHostView>);
  static_assert(!mylos::is_device_view_v<int>);
  static_assert(mylos::is_host_reachable_v<StridedHostView> && !mylos::is_host_reachable_v<DeviceView>);
  static_assert(mylos::is_device_reachable_v<DeviceView> && !mylos::is_device_reachable_v<StridedHostView>);
  static_assert(mylos::is_device_view_v<Kokkos::View<int, DeviceSpace, Kokkos::MemoryUnmanaged>>);
}

TEST(ViewTraits, SameSpaceLooksAtEveryView) {
  const DeviceView a("a", 3);
  const DeviceView b("b", 2);
  const StridedHostView c;
  EXPECT_TRUE(mylos::same_space());
  EXPECT_TRUE(mylos::same_space(c));
  EXPECT_TRUE(mylos::same_space(a, b));
  EXPECT_FALSE(mylos::same_space(a, b, c));
  EXPECT_FALSE(mylos::same_space(c, a));
}

TEST(ViewTraits, AssertSameSpaceNamesLabelsAndSpaces) {
  const DeviceView a("positions", 3);
  const Kokkos::View<int*, HostSpace> b("cells", 3);
  EXPECT_NO_THROW(mylos::assert_same_space(a, a));
  EXPECT_NO_THROW(mylos::assert_same_space());
  const std::string text = thrown<mylos::SpaceError>([&] { mylos::assert_same_space(a, b); });
  EXPECT_TRUE(contains(text, {"'positions' in", DeviceSpace::name(), "'cells' in Host", "mylos::to_device"}));
}

}  // namespace
}  // namespace mylos_test
