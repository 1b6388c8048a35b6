// SPDX-License-Identifier: MIT
#include <mylos/testing/spaces.hpp>

#include <stdlib.h>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <mylos/core/conversions.hpp>

#include "support/contains.hpp"
#include "support/scoped_variable.hpp"

namespace mylos_test {
namespace {

template <class Space>
class EverySpace : public ::testing::Test {};
TYPED_TEST_SUITE(EverySpace, mylos::testing::Spaces);

TYPED_TEST(EverySpace, HasViews) {
  const Kokkos::View<int*, TypeParam> x("x", 3);
  Kokkos::deep_copy(x, 4);
  EXPECT_EQ(mylos::to_host(x)(2), 4);
}

void needs_cuda(bool& went_on) {
  MYLOS_SKIP_WITHOUT_CUDA();
  went_on = true;
}

TEST(SkipWithoutCuda, FailsWhereCudaIsRequired) {
  if (mylos::cuda_available()) GTEST_SKIP() << "there is a GPU";
  static bool went_on = false;
  const ScopedVariable required("MYLOS_REQUIRE_CUDA", "1");
  EXPECT_FATAL_FAILURE(needs_cuda(went_on), "CUDA cannot be used here");
  EXPECT_FALSE(went_on);
}

TEST(SkipWithoutCuda, SkipsElsewhere) {
  const ScopedVariable required("MYLOS_REQUIRE_CUDA", nullptr);
  bool went_on = false;
  needs_cuda(went_on);
  EXPECT_EQ(went_on, mylos::cuda_available());
  EXPECT_EQ(IsSkipped(), !went_on);
  EXPECT_TRUE(contains(mylos::testing::no_cuda_message(), {"cuda"}));
}

}  // namespace
}  // namespace mylos_test
