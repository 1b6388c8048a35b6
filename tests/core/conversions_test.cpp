// SPDX-License-Identifier: MIT
#include <mylos/core/conversions.hpp>

#include <limits>
#include <stdexcept>

#include <mylos/base/error.hpp>

#include "core/support.hpp"
#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using Kokkos::ALL;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::subview;
using mylos::CopyCounter;
using mylos::CopyCounts;

template <class T, class Layout = LayoutLeft>
using OnDevice = Kokkos::View<T, Layout, DeviceSpace>;
template <class T, class Layout = LayoutLeft>
using OnHost = Kokkos::View<T, Layout, HostSpace>;

CopyCounts without_waits(CopyCounts counts) {
  counts.sync = 0;
  return counts;
}

/// Random matrices on both sides with equal elements.
class Conversions : public ::testing::Test {
 protected:
  Conversions() {
    randomize(host, random);
    Kokkos::deep_copy(device, host);
  }

  Random random;
  OnHost<double**> host{"on_host", 6, 5};
  OnDevice<double**> device{"on_device", 6, 5};
};

// ---- to_host, to_device, copy_to

TEST_F(Conversions, ToHostIsTheViewItselfWhereTheHostReachesIt) {
  const CopyCounter counter;
  const auto same = mylos::to_host(host);
  static_assert(std::is_same_v<decltype(same), const OnHost<double**>>);
  EXPECT_EQ(same.data(), host.data());
  EXPECT_EQ(counter.counts(), CopyCounts{});
}

TEST_F(Conversions, ToHostCopiesOnceAndKeepsTheLabel) {
  const CopyCounter counter;
  const auto copy = mylos::to_host(device);
  static_assert(std::is_same_v<decltype(copy)::memory_space, HostSpace>);
  static_assert(std::is_same_v<decltype(copy)::array_layout, LayoutLeft>);
  EXPECT_EQ(without_waits(counter.counts()), (CopyCounts{.to_host = 1, .bytes_to_host = 240}));
  EXPECT_EQ(copy.label(), "on_device");
  expect_equal(copy, host);
}

TEST_F(Conversions, ToDeviceIsTheMirrorImage) {
  EXPECT_EQ(mylos::to_device(device).data(), device.data());
  const CopyCounter counter;
  const auto copy = mylos::to_device(host);
  static_assert(std::is_same_v<decltype(copy)::memory_space, DeviceSpace>);
  EXPECT_EQ(without_waits(counter.counts()), (CopyCounts{.to_device = 1, .bytes_to_device = 240}));
  EXPECT_EQ(copy.label(), "on_host");
  expect_equal(on_host(copy), host);
}

// A snapshot must not change with its original, whatever the constness, the management and the space of it; a mirror
// may.
TEST_F(Conversions, CopyToNeverAliases) {
  const OnHost<const double**> constant = host;
  const OnHost<double**> unmanaged(host.data(), 6, 5);
  const auto first = mylos::copy_to<HostSpace>(host);
  const auto second = mylos::copy_to<HostSpace>(constant);
  const auto third = mylos::copy_to<HostSpace>(unmanaged);
  static_assert(!std::is_const_v<decltype(second)::value_type>);
  const double before = host(1, 1);
  host(1, 1) = before + 1;
  EXPECT_EQ(first(1, 1), before);
  EXPECT_EQ(second(1, 1), before);
  EXPECT_EQ(third(1, 1), before);
  EXPECT_EQ(first.label(), "on_host");
  EXPECT_EQ(mylos::to_host(constant).data(), host.data());
  const auto on_device = mylos::copy_to<DeviceSpace>(device);
  EXPECT_NE(on_device.data(), device.data());
  EXPECT_EQ(on_device.label(), "on_device");
}

TEST_F(Conversions, CopyToCountsOneCopy) {
  const CopyCounter counter;
  const auto a = mylos::copy_to<HostSpace>(host);
  EXPECT_EQ(counter.counts(), (CopyCounts{.host_copy = 1}));
  const auto b = mylos::copy_to<DeviceSpace>(device);
  EXPECT_EQ(without_waits(counter.counts()), (CopyCounts{.device_copy = 1, .host_copy = 1}));
}

TEST_F(Conversions, StridedViewsTakeOneTransfer) {
  const auto row = subview(device, 2, ALL);
  const auto block = subview(device, std::pair(1, 4), std::pair(2, 4));
  {
    const CopyCounter counter;
    const auto copy = mylos::to_host(row);
    static_assert(std::is_same_v<decltype(copy)::array_layout, LayoutRight>);
    EXPECT_EQ(without_waits(counter.counts()), (CopyCounts{.to_host = 1, .device_copy = 1, .bytes_to_host = 40}));
    expect_equal(copy, subview(host, 2, ALL));
  }
  {
    const CopyCounter counter;
    expect_equal(mylos::copy_to<HostSpace>(block), subview(host, std::pair(1, 4), std::pair(2, 4)));
    EXPECT_EQ(counter.counts().to_host, 1);
    EXPECT_EQ(counter.counts().bytes_to_host, 48);
  }
  {
    const CopyCounter counter;
    expect_equal(on_host(mylos::to_device(subview(host, 3, ALL))), subview(host, 3, ALL));
    EXPECT_EQ(counter.counts().to_device, 1);
    EXPECT_EQ(counter.counts().host_copy, 1);
  }
}

TEST(ConversionTypes, StaticExtentsScalarsAndEmptyViewsAreCopied) {
  const OnDevice<float* [3]> fixed("fixed", 2);
  Kokkos::deep_copy(fixed, 2.0F);
  const auto copy = mylos::to_host(fixed);
  static_assert(std::is_same_v<decltype(copy)::data_type, float* [3]>);
  expect_all(copy, 2.0F);
  const OnDevice<int> scalar("scalar");
  Kokkos::deep_copy(scalar, 7);
  EXPECT_EQ(mylos::to_host(scalar)(), 7);
  EXPECT_EQ(mylos::to_host(OnDevice<int>()).data(), nullptr);
  const CopyCounter counter;
  EXPECT_EQ(mylos::to_host(OnDevice<int**>("empty", 0, 3)).extent(1), 3U);
  EXPECT_EQ(mylos::to_host(OnDevice<int*>()).extent(0), 0U);
  EXPECT_EQ(counter.counts().to_host, 0);
}

// ---- copy_view

/// Copies random numbers and looks at what was counted and at what arrived.
template <class To, class From>
void check_copy(const To& to, const From& from, Random& random, const CopyCounts& expected) {
  const OnHost<double**, LayoutRight> values("values", from.extent(0), from.extent(1));
  randomize(values, random);
  mylos::copy_view(from, values);
  const CopyCounter counter;
  mylos::copy_view(to, from);
  const CopyCounts counts = without_waits(counter.counts());
  EXPECT_EQ(counts, expected) << to_string(counts);
  const OnHost<double**, LayoutRight> back("back", from.extent(0), from.extent(1));
  mylos::copy_view(back, to);
  expect_equal(back, values);
}

constexpr CopyCounts down(std::int64_t on_device, std::int64_t on_host) {
  return {.to_host = 1, .device_copy = on_device, .host_copy = on_host, .bytes_to_host = 48};
}
constexpr CopyCounts up(std::int64_t on_host, std::int64_t on_device) {
  return {.to_device = 1, .device_copy = on_device, .host_copy = on_host, .bytes_to_device = 48};
}

TEST(CopyView, TransfersOnceBetweenAnyLayouts) {
  Random random;
  const OnDevice<double**> left("left", 3, 2);
  const OnDevice<double**, LayoutRight> right("right", 3, 2);
  const auto part = subview(OnDevice<double**>("part", 6, 5), std::pair(1, 4), std::pair(0, 2));
  const OnHost<double**> host_left("host_left", 3, 2);
  const OnHost<double**, LayoutRight> host_right("host_right", 3, 2);
  const auto host_part = subview(OnHost<double**>("host_part", 6, 5), std::pair(1, 4), std::pair(0, 2));
  check_copy(host_left, left, random, down(0, 0));
  check_copy(host_right, right, random, down(0, 0));
  check_copy(host_right, left, random, down(1, 0));
  check_copy(host_left, part, random, down(1, 0));
  check_copy(host_part, left, random, down(0, 1));
  check_copy(host_part, part, random, down(1, 1));
  check_copy(left, host_left, random, up(0, 0));
  check_copy(right, host_left, random, up(0, 1));
  check_copy(left, host_part, random, up(1, 0));
  check_copy(part, host_right, random, up(0, 1));
  check_copy(part, host_part, random, up(1, 1));
}

TEST(CopyView, LayoutStrideWithoutGapsIsTransferredAsItIs) {
  Random random;
  const LayoutStride columns(3, 1, 2, 3);
  const OnDevice<double**, LayoutStride> device("device", columns);
  const OnHost<double**> host("host", 3, 2);
  check_copy(host, device, random, down(0, 0));
  check_copy(device, host, random, up(0, 0));
}

// In one dimension left and right are the same order; so is any stride where there is one element, or none.
TEST(CopyView, OneDimensionHasOneOrder) {
  for (const std::size_t n : {10U, 1U, 0U}) {
    const OnDevice<double*> device("device", n);
    const OnHost<double*, LayoutRight> host("host", n);
    CopyCounter counter;
    mylos::copy_view(host, device);
    mylos::copy_view(device, host);
    EXPECT_EQ(counter.counts().to_host, n > 0 ? 1 : 0);
    EXPECT_EQ(counter.counts().to_device, n > 0 ? 1 : 0);
    const OnDevice<double*, LayoutStride> second("second", LayoutStride(n, 2));
    mylos::copy_view(second, host);
    counter.reset();
    mylos::copy_view(host, second);
    EXPECT_EQ(counter.counts().to_host, n > 0 ? 1 : 0);
    EXPECT_EQ(counter.counts().device_copy, n > 1 ? 1 : 0) << "extent " << n;
  }
}

TEST(CopyView, ConvertsElementsAndTransfersTheSmallerKind) {
  Random random;
  const OnDevice<double**> device("device", 3, 2);
  const OnHost<float**, LayoutRight> host("host", 3, 2);
  const OnHost<float**, LayoutRight> back("back", 3, 2);
  randomize(host, random);
  CopyCounter counter;
  mylos::copy_view(device, host);
  EXPECT_EQ(without_waits(counter.counts()), (CopyCounts{.to_device = 1, .device_copy = 1, .bytes_to_device = 24}));
  counter.reset();
  mylos::copy_view(back, device);
  EXPECT_EQ(without_waits(counter.counts()), (CopyCounts{.to_host = 1, .device_copy = 1, .bytes_to_host = 24}));
  expect_equal(back, host);
}

TEST(CopyView, WorksWithinOneSideToo) {
  Random random;
  check_copy(OnHost<double**>("to", 3, 2), OnHost<double**, LayoutRight>("from", 3, 2), random, {.host_copy = 1});
  check_copy(OnDevice<double**>("to", 3, 2), OnDevice<double**, LayoutRight>("from", 3, 2), random, {.device_copy = 1});
}

TEST(CopyView, TakesAStream) {
  const auto streams = Kokkos::Experimental::partition_space(Device(), 1);
  const OnDevice<double**> device("device", 3, 2);
  const OnHost<double**, LayoutRight> host("host", 3, 2);
  Kokkos::deep_copy(host, 3.0);
  mylos::copy_view(device, host, streams[0]);
  Kokkos::deep_copy(host, 0.0);
  mylos::copy_view(host, device, streams[0]);
  expect_all(host, 3.0);
}

TEST(CopyView, HighRanksAreCopied) {
  Random random;
  const auto device = make_view<OnDevice<int********, LayoutRight>>("device");
  const auto host = make_view<OnHost<int********, LayoutLeft>>("host");
  randomize(host, random);
  mylos::copy_view(device, host);
  expect_equal(mylos::to_host(device), host);
}

TEST(CopyView, DifferentExtentsAreRefusedWithBothLabels) {
  const OnDevice<double**> device("grid", 3, 2);
  const OnHost<double**> host("table", 2, 3);
  const auto text = thrown<mylos::ShapeError>([&] { mylos::copy_view(host, device); });
  EXPECT_TRUE(contains(
      text, {"'table' in Host has extents (2, 3)", "'grid' in MylosDevice has extents (3, 2)", "same extents"}));
  const auto no_memory = thrown<mylos::ShapeError>([] { mylos::copy_view(OnHost<int>(), OnDevice<int>("scalar")); });
  EXPECT_TRUE(contains(no_memory, {"no memory", "'scalar'"}));
}

// What Kokkos itself refuses, as for CudaSpace, names the Views too; copy_view is the way that works in every build.
TEST(CopyView, IsTheWayWhereKokkosRefuses) {
  const OnDevice<double**> device("grid", 4, 3);
  const auto part = subview(device, std::pair(1, 3), ALL);
  const OnHost<double**> host("table", 2, 3);
  const auto down = thrown<std::runtime_error>([&] { Kokkos::deep_copy(host, part); });
  EXPECT_TRUE(contains(down, {"grid", "table"}));
  const auto up = thrown<std::runtime_error>([&] { Kokkos::deep_copy(part, host); });
  EXPECT_TRUE(contains(up, {"grid", "table"}));
  EXPECT_THROW(Kokkos::deep_copy(Device(), host, part), std::runtime_error);
  EXPECT_THROW(Kokkos::deep_copy(OnHost<double**, LayoutRight>("r", 4, 3), device), std::runtime_error);
  EXPECT_NO_THROW(mylos::copy_view(host, part));
}

// ---- as_contiguous

TEST_F(Conversions, AsContiguousSharesWhereNothingIsToDo) {
  const CopyCounter counter;
  EXPECT_EQ(mylos::as_contiguous<DeviceSpace>(device).data(), device.data());
  EXPECT_EQ((mylos::as_contiguous<HostSpace, double>(host).data()), host.data());
  const auto column = mylos::as_contiguous<HostSpace>(subview(host, ALL, 3));
  EXPECT_EQ(column.data(), &host(0, 3));
  const auto constant = mylos::as_contiguous<HostSpace, const double>(host);
  EXPECT_EQ(constant.data(), host.data());
  EXPECT_EQ(counter.counts(), CopyCounts{});
}

TEST_F(Conversions, AsContiguousCopiesOtherwise) {
  const CopyCounter counter;
  const auto row = mylos::as_contiguous<HostSpace>(subview(host, 1, ALL));
  EXPECT_TRUE(row.span_is_contiguous());
  expect_equal(row, subview(host, 1, ALL));
  EXPECT_EQ(counter.counts(), (CopyCounts{.host_copy = 1}));
  const auto single = mylos::as_contiguous<DeviceSpace, float>(host);
  static_assert(std::is_same_v<decltype(single)::value_type, float>);
  expect_equal(on_host(single), host);
  EXPECT_EQ(counter.counts().to_device, 1);
  EXPECT_EQ(counter.counts().bytes_to_device, 120);
  const OnHost<const double**> constant = host;
  EXPECT_NE((mylos::as_contiguous<HostSpace, double>(constant).data()), host.data());
}

// ---- memory that is used again, spaces beside HostSpace

TEST_F(Conversions, NothingIsTakenForZero) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int round = 0; round < 3; ++round) {
    {
      const OnDevice<double**> poison("poison", 6, 5);
      Kokkos::deep_copy(poison, nan);
      const OnHost<double**> host_poison("poison", 6, 5);
      Kokkos::deep_copy(host_poison, nan);
    }
    expect_all(on_host(OnDevice<double**>("fresh", 6, 5)), 0.0);
    expect_equal(mylos::to_host(subview(device, 1, ALL)), subview(host, 1, ALL));
    expect_equal(on_host(mylos::to_device(subview(host, 1, ALL))), subview(host, 1, ALL));
    expect_equal(mylos::as_contiguous<HostSpace, float>(device), host);
  }
}

template <class Exec>
class HostExecutionSpaces : public ::testing::Test {};
using EnabledHostSpaces = ::testing::Types<
#ifdef KOKKOS_ENABLE_OPENMP
    Kokkos::OpenMP,
#endif
#ifdef KOKKOS_ENABLE_THREADS
    Kokkos::Threads,
#endif
#ifdef KOKKOS_ENABLE_SERIAL
    Kokkos::Serial,
#endif
    Kokkos::DefaultHostExecutionSpace>;
TYPED_TEST_SUITE(HostExecutionSpaces, EnabledHostSpaces);

TYPED_TEST(HostExecutionSpaces, AllConvertAlike) {
  using V = Kokkos::View<double**, LayoutRight, Kokkos::Device<TypeParam, HostSpace>>;
  Random random;
  const V host("host", 4, 3);
  randomize(host, random);
  EXPECT_EQ(mylos::to_host(host).data(), host.data());
  expect_equal(on_host(mylos::to_device(host)), host);
  const OnDevice<double**> device("device", 4, 3);
  mylos::copy_view(device, host);
  const V back("back", 4, 3);
  mylos::copy_view(back, device);
  expect_equal(back, host);
  EXPECT_TRUE(mylos::same_space(host, OnHost<int*>()));
}

}  // namespace
}  // namespace mylos_test
