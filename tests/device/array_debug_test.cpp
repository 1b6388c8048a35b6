// SPDX-License-Identifier: MIT
// This file alone has MYLOS_DEBUG: indices are checked here, and not in the files it is linked with.
#define MYLOS_DEBUG
#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/device/array.hpp>

#include "device/emulated.hpp"
#include "support/contains.hpp"

namespace mylos_test {
namespace {

using ArrayDebugDeathTest = ::testing::Test;

TEST(ArrayDebugDeathTest, StopsAtABadIndex) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  int data[6] = {};
  const mylos::Array<int, 2> array(data, {2, 3}, {3, 1});
  const mylos::ContiguousArray<int, 2> dense(data, {2, 3});
  EXPECT_EQ(&array(1, 2), data + 5);
  // The message goes to stdout, as a kernel's printf does; the death is by a trap.
  EXPECT_DEATH(array(0, 3) = 1, "");
  EXPECT_DEATH(array(-1, 0) = 1, "");
  EXPECT_DEATH(dense[6] = 1, "");
}

TEST(ArrayDebug, StopsAKernelAtABadIndex) {
  const DeviceVector<int> data(std::vector<int>(6, 0));
  const mylos::Array<int, 2> array(data.data(), {2, 3}, {3, 1});
  const std::string text =
      "#define MYLOS_DEBUG\n#include <mylos/device/array.hpp>\n"
      "extern \"C\" __global__ void k(mylos::Array<int, 2> a, int j) { a(1, j) = 1; }";
  run_emulated(text, "k", {}, array, 2);
  EXPECT_EQ(data.values()[5], 1);
  EXPECT_THROW(run_emulated(text, "k", {}, array, 3), mylos::Error);
}

}  // namespace
}  // namespace mylos_test
