// SPDX-License-Identifier: MIT
// What every atomic operation must do, for each implementation: the file that includes this one chooses it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/device/atomic.hpp>

namespace mylos_test {
namespace {

template <class T>
class Atomic : public ::testing::Test {};

using AtomicTypes = ::testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(Atomic, AtomicTypes);

namespace device = mylos::device;

TYPED_TEST(Atomic, ReturnsTheValueBefore) {
  TypeParam x = 5;
  EXPECT_EQ(device::atomic_add(&x, 3), TypeParam(5));
  EXPECT_EQ(x, TypeParam(8));
  EXPECT_EQ(device::atomic_min(&x, 9), TypeParam(8));
  EXPECT_EQ(device::atomic_min(&x, 2), TypeParam(8));
  EXPECT_EQ(device::atomic_max(&x, 1), TypeParam(2));
  EXPECT_EQ(device::atomic_max(&x, 7), TypeParam(2));
  EXPECT_EQ(device::atomic_exchange(&x, 4), TypeParam(7));
  EXPECT_EQ(device::atomic_compare_exchange(&x, 3, 6), TypeParam(4));
  EXPECT_EQ(device::atomic_compare_exchange(&x, 4, 6), TypeParam(4));
  EXPECT_EQ(x, TypeParam(6));
}

TYPED_TEST(Atomic, ReachesTheLimits) {
  using Limits = std::numeric_limits<TypeParam>;
  TypeParam x = Limits::max();
  EXPECT_EQ(device::atomic_min(&x, Limits::lowest()), Limits::max());
  EXPECT_EQ(device::atomic_max(&x, Limits::max()), Limits::lowest());
  EXPECT_EQ(x, Limits::max());
  if constexpr (!Limits::is_integer) {
    EXPECT_EQ(device::atomic_max(&x, Limits::quiet_NaN()), Limits::max());
    EXPECT_EQ(x, Limits::max());
    x = Limits::quiet_NaN();
    EXPECT_TRUE(std::isnan(device::atomic_exchange(&x, TypeParam(-0.0))));
    EXPECT_EQ(device::atomic_exchange(&x, 1), TypeParam(0));
    EXPECT_EQ(x, TypeParam(1));
  }
}

}  // namespace
}  // namespace mylos_test
