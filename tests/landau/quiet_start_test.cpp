// SPDX-License-Identifier: MIT
#include "kernels/quiet_start.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "plasma.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  std::mt19937_64 random(random_seed());
  std::uniform_real_distribution<double> exponent(-12.0, std::log10(0.5));
  for (int trial = 0; trial < 2000; ++trial) {
    const double p = std::pow(10.0, exponent(random));
    const double v = landau::normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-v / std::sqrt(2.0)) / p, 1.0, 2e-13) << p;
    EXPECT_NEAR(landau::normal_quantile(1.0 - p), -landau::normal_quantile(1.0 - (1.0 - p)), 1e-3);
  }
  EXPECT_NEAR(landau::normal_quantile(0.5), 0.0, 1e-16);
  EXPECT_NEAR(landau::normal_quantile(0.975), 1.959963984540054, 1e-14);
}

TEST(NormalQuantile, JoinsItsApproximationsSmoothly) {
  for (const double p : {0.02425, 1.0 - 0.02425}) {
    const double before = landau::normal_quantile(p - 1e-9);
    const double after = landau::normal_quantile(p + 1e-9);
    EXPECT_GT(after, before);
    EXPECT_LT(after - before, 1e-6);
  }
}

TEST(NormalVelocity, IsFiniteAtTheEnds) {
  EXPECT_NEAR(landau::normal_velocity(0.0), -7.0, 0.1);
  EXPECT_NEAR(landau::normal_velocity(1.0), 7.0, 0.1);
}

TEST(RadicalInverse, MirrorsDigits) {
  EXPECT_EQ(landau::radical_inverse(0, 2), 0.0);
  EXPECT_EQ(landau::radical_inverse(1, 2), 0.5);
  EXPECT_EQ(landau::radical_inverse(6, 2), 0.375);               // 110 -> 0.011
  EXPECT_NEAR(landau::radical_inverse(5, 3), 7.0 / 9.0, 1e-15);  // 12 -> 0.21
  EXPECT_NEAR(landau::radical_inverse((std::int64_t{1} << 52) + 1, 2), 0.5, 1e-15);
}

TEST(RadicalInverse, FillsEveryIntervalEquallyOften) {
  for (const int base : {2, 3, 5, 7, 11}) {
    std::vector<int> count(static_cast<std::size_t>(base * base));
    for (std::int64_t i = 0; i < 3 * base * base; ++i) {
      ++count[static_cast<std::size_t>(landau::radical_inverse(i, base) * base * base + 1e-9)];
    }
    EXPECT_EQ(*std::min_element(count.begin(), count.end()), 3) << base;
  }
}

TEST(Fraction, StaysBelowOne) {
  EXPECT_EQ(landau::fraction(-1e-20), 0.0);
  EXPECT_EQ(landau::fraction(3.25), 0.25);
  EXPECT_EQ(landau::fraction(-0.25), 0.75);
}

TEST(PerturbedPlace, SolvesItsEquation) {
  std::mt19937_64 random(random_seed());
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 1000; ++trial) {
    const double u = uniform(random);
    const double epsilon = 0.9 * uniform(random);
    const double place = landau::perturbed_place(u, epsilon);
    ASSERT_GE(place, 0.0);
    ASSERT_LT(place, 1.0);
    const double back = place + epsilon / landau::two_pi * std::sin(landau::two_pi * place);
    EXPECT_NEAR(std::remainder(back - u, 1.0), 0.0, 1e-14);
  }
}

TEST(QuietStartShifts, AreInsideAndDifferWithTheSeed) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto shifts = landau::quiet_start_shifts(seed);
    for (const double shift : shifts) {
      EXPECT_GT(shift, 0.0);
      EXPECT_LT(shift, 1.0);
    }
    EXPECT_EQ(shifts, landau::quiet_start_shifts(seed));
    EXPECT_NE(shifts[0], landau::quiet_start_shifts(seed + 1)[0]);
  }
}

}  // namespace
}  // namespace mylos_test
