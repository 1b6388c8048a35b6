// SPDX-License-Identifier: MIT
#include "kernels/marker.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

TEST(CloudAt, IsAPartitionOfUnityThatReproducesLines) {
  std::mt19937_64 random(random_seed());
  for (const std::int64_t cells : {4, 48, 64, 1000}) {
    std::uniform_real_distribution<double> uniform(0.0, static_cast<double>(cells));
    for (int trial = 0; trial < 1000; ++trial) {
      const double x = uniform(random);
      const landau::Cloud cloud = landau::cloud_at(x, cells);
      for (int i = 0; i < 2; ++i) {
        EXPECT_GE(cloud.share[i], 0.0);
        ASSERT_GE(cloud.node[i], 0);
        ASSERT_LT(cloud.node[i], cells);
      }
      EXPECT_NEAR(cloud.share[0] + cloud.share[1], 1.0, 1e-15);
      const double upper = cloud.node[1] == 0 ? static_cast<double>(cells) : static_cast<double>(cloud.node[1]);
      const double moment = cloud.share[0] * static_cast<double>(cloud.node[0]) + cloud.share[1] * upper;
      EXPECT_NEAR(moment, x, 1e-14 * static_cast<double>(cells));
    }
  }
}

TEST(InUnits, RoundsToTheNearestWholeNumber) {
  EXPECT_EQ(landau::in_units(1.0, 0x1p40), std::int64_t{1} << 40);
  EXPECT_EQ(landau::in_units(-0.75, 4.0), -3);
  EXPECT_EQ(landau::in_units(0.74, 2.0), 1);
  EXPECT_EQ(landau::in_units(0.76, 2.0), 2);
  EXPECT_EQ(landau::in_units(-0.74, 2.0), -1);
  EXPECT_EQ(landau::in_units(-0.76, 2.0), -2);
  EXPECT_EQ(landau::in_units(0.0, 0x1p40), 0);
}

TEST(Divided, LosesNothingAndFollowsTheShares) {
  std::mt19937_64 random(random_seed());
  std::uniform_real_distribution<double> place(0.0, 8.0);
  std::uniform_int_distribution<std::int64_t> count(-(std::int64_t{1} << 50), std::int64_t{1} << 50);
  for (int trial = 0; trial < 1000; ++trial) {
    const landau::Cloud cloud = landau::cloud_at(place(random), 8);
    const std::int64_t units = count(random);
    const landau::Parts parts = landau::divided(units, cloud);
    EXPECT_EQ(parts.part[0] + parts.part[1], units);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(static_cast<double>(parts.part[i]), static_cast<double>(units) * cloud.share[i], 1.5);
    }
  }
}

TEST(Wrapped, IsTheSamePlaceInsideTheBox) {
  std::mt19937_64 random(random_seed());
  std::uniform_real_distribution<double> uniform(-500.0, 500.0);
  for (int trial = 0; trial < 1000; ++trial) {
    const double x = uniform(random);
    const double y = landau::wrapped(x, 64.0);
    ASSERT_GE(y, 0.0);
    ASSERT_LT(y, 64.0);
    EXPECT_NEAR(std::remainder(x - y, 64.0), 0.0, 1e-12);
  }
}

TEST(Wrapped, NeverLeavesTheBox) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double x : {-tiny, -1e-20, 64.0, -64.0, 6400.0, std::nextafter(64.0, 0.0), std::nan(""),
                         std::numeric_limits<double>::infinity(), -1e300}) {
    const double y = landau::wrapped(x, 64.0);
    EXPECT_GE(y, 0.0) << x;
    EXPECT_LT(y, 64.0) << x;
  }
}

TEST(DeltaWeight, IsZeroForAnUndisturbedMarker) {
  EXPECT_EQ(landau::delta_weight(1.0, 2.25, 2.25), 0.0);
  EXPECT_NEAR(landau::delta_weight(1.01, 1.0, 3.0), 1.01 - std::exp(-1.0), 1e-16);
}

}  // namespace
}  // namespace mylos_test
