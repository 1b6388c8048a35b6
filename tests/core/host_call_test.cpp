// SPDX-License-Identifier: MIT
#include <mylos/core/host_call.hpp>

#include <stdexcept>

#include <mylos/base/error.hpp>

#include "core/support.hpp"
#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CopyCounter;
using OnDevice = Kokkos::View<double*, DeviceSpace>;
using OnHost = Kokkos::View<double*, HostSpace>;

class HostCall : public ::testing::Test {
 protected:
  HostCall() {
    Kokkos::deep_copy(x, 1.0);
    Kokkos::deep_copy(y, 2.0);
  }
  OnDevice x{"x", 4}, y{"y", 4};
};

TEST_F(HostCall, CopiesInRunsAndCopiesBack) {
  const CopyCounter counter;
  const double sum = mylos::host_call(
      [](auto a, auto b, double factor) {
        static_assert(mylos::is_host_reachable_v<decltype(a)>);
        for (int i = 0; i < 4; ++i) b(i) += factor * a(i);
        return b(0);
      },
      x, y, 10.0);
  EXPECT_EQ(sum, 12.0);
  EXPECT_EQ(counter.counts().to_host, 2);
  EXPECT_EQ(counter.counts().to_device, 2);
  expect_all(on_host(y), 12.0);
  expect_all(on_host(x), 1.0);
}

TEST_F(HostCall, ConstViewsStayConstAndAreNotCopiedBack) {
  const Kokkos::View<const double*, DeviceSpace> constant = x;
  const CopyCounter counter;
  mylos::host_call(
      [](auto a, auto b) {
        static_assert(std::is_const_v<typename decltype(a)::value_type>);
        b(2) = a(2) + 4;
      },
      constant, y);
  EXPECT_EQ(counter.counts().to_host, 2);
  EXPECT_EQ(counter.counts().to_device, 1);
  EXPECT_EQ(on_host(y)(2), 5.0);
}

TEST_F(HostCall, HostViewsGoThroughUncopied) {
  const OnHost host("host", 4);
  const CopyCounter counter;
  mylos::host_call([&](auto a) { EXPECT_EQ(a.data(), host.data()); }, host);
  EXPECT_EQ(counter.counts(), mylos::CopyCounts{});
}

TEST_F(HostCall, TheSameElementsAreOneCopy) {
  const CopyCounter counter;
  mylos::host_call(
      [](auto a, auto b) {
        a(0) = 5;
        EXPECT_EQ(b(0), 5.0);
        b(1) = 6;
      },
      x, x);
  EXPECT_EQ(counter.counts().to_host, 1);
  EXPECT_EQ(counter.counts().to_device, 1);
  EXPECT_EQ(on_host(x)(0), 5.0);
  EXPECT_EQ(on_host(x)(1), 6.0);
}

TEST_F(HostCall, AConstAliasSeesWhatTheOtherWrites) {
  const Kokkos::View<const double*, DeviceSpace> constant = x;
  mylos::host_call(
      [](auto a, auto b) {
        b(0) = 7;
        EXPECT_EQ(a(0), 7.0);
      },
      constant, x);
  EXPECT_EQ(on_host(x)(0), 7.0);
}

TEST_F(HostCall, PartsThatMeetAreRefusedUnlessNobodyWrites) {
  const auto front = Kokkos::subview(x, std::pair(0, 3));
  const auto back = Kokkos::subview(x, std::pair(2, 4));
  const auto text = thrown<mylos::ValueError>([&] { mylos::host_call([](auto, auto) {}, front, back); });
  EXPECT_TRUE(contains(text, {"argument 1 ('x', extents (3))", "argument 2 ('x', extents (2))", "in common"}));
  const Kokkos::View<const double*, DeviceSpace> reads_front = front;
  const Kokkos::View<const double*, DeviceSpace> reads_back = back;
  EXPECT_NO_THROW(mylos::host_call([](auto, auto) {}, reads_front, reads_back));
}

TEST_F(HostCall, RowsOfOneMatrixDoNotMeet) {
  const Kokkos::View<double**, Kokkos::LayoutLeft, DeviceSpace> matrix("matrix", 3, 2);
  mylos::host_call([](auto a, auto b) { a(1) = 1, b(1) = 2; }, Kokkos::subview(matrix, 0, Kokkos::ALL),
                   Kokkos::subview(matrix, 2, Kokkos::ALL));
  const auto host = on_host(matrix);
  EXPECT_EQ(host(0, 1), 1.0);
  EXPECT_EQ(host(1, 1), 0.0);
  EXPECT_EQ(host(2, 1), 2.0);
}

TEST_F(HostCall, NothingIsCopiedBackAfterAnException) {
  const auto fails = [](auto a) {
    a(0) = 9;
    throw std::logic_error("failed");
  };
  EXPECT_THROW(mylos::host_call(fails, x), std::logic_error);
  expect_all(on_host(x), 1.0);
}

}  // namespace
}  // namespace mylos_test
