// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using landau::Window;

// Energy of a damped wave at n dt.
std::vector<double> damped_energy(double peak, double rate, double frequency, double phase, double dt, int samples) {
  std::vector<double> energy;
  for (int n = 0; n < samples; ++n) {
    const double t = n * dt;
    energy.push_back(peak * std::exp(2.0 * rate * t) * std::pow(std::cos(frequency * t - phase), 2));
  }
  return energy;
}

TEST(FitLine, FindsTheLineOfRandomPoints) {
  std::mt19937_64 random(random_seed());
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  const double slope = uniform(random);
  const double intercept = uniform(random);
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 20; ++i) {
    x.push_back(uniform(random));
    y.push_back(intercept + slope * x.back());
  }
  const landau::Line line = landau::fit_line(x, y);
  EXPECT_NEAR(line.slope, slope, 1e-12);
  EXPECT_NEAR(line.intercept, intercept, 1e-12);
}

TEST(FitLine, IsTheLeastSquaresLine) {
  const std::vector<double> x = {0.0, 1.0, 2.0};
  const std::vector<double> y = {0.0, 0.0, 3.0};
  const landau::Line line = landau::fit_line(x, y);
  EXPECT_NEAR(line.slope, 1.5, 1e-14);
  EXPECT_NEAR(line.intercept, -0.5, 1e-14);
}

TEST(FindMaxima, ParabolaIsExactForAGaussianAndOnlyTheWindowCounts) {
  std::vector<double> samples;
  for (int n = 0; n < 60; ++n) samples.push_back(7.0 * std::exp(-std::pow(0.1 * n - 3.037, 2)));
  const auto maxima = landau::find_maxima(samples, 0.1, {1.0, 5.0});
  ASSERT_EQ(maxima.size(), 1U);
  EXPECT_NEAR(maxima[0].time, 3.037, 1e-12);
  EXPECT_NEAR(maxima[0].log_value, std::log(7.0), 1e-12);
  EXPECT_TRUE(landau::find_maxima(samples, 0.1, {3.1, 5.0}).empty());
  EXPECT_TRUE(landau::find_maxima(std::vector<double>{}, 0.1, {0.0, 1.0}).empty());
}

TEST(FindMaxima, APlateauCountsOnceAndZeroSamplesNever) {
  EXPECT_EQ(landau::find_maxima(std::vector<double>{1.0, 2.0, 2.0, 1.0}, 1.0, {0.0, 9.0}).size(), 1U);
  EXPECT_TRUE(landau::find_maxima(std::vector<double>{0.0, 2.0, 1.0}, 1.0, {0.0, 9.0}).empty());
}

TEST(MeasureDamping, RecoversRandomWaves) {
  std::mt19937_64 random(random_seed());
  for (int trial = 0; trial < 50; ++trial) {
    const double rate = std::uniform_real_distribution<double>(-0.3, -0.01)(random);
    const double frequency = std::uniform_real_distribution<double>(1.1, 1.6)(random);
    const double phase = std::uniform_real_distribution<double>(-1.5, 1.5)(random);
    const auto damping =
        landau::measure_damping(damped_energy(2.5e-3, rate, frequency, phase, 0.1, 201), 0.1, Window{3.0, 20.0});
    ASSERT_TRUE(damping.has_value());
    EXPECT_NEAR(damping->rate, rate, 1e-3 * std::abs(rate) + 1e-5);
    EXPECT_NEAR(damping->frequency, frequency, 1e-3 * frequency);
    EXPECT_NEAR(damping->peak_energy, 2.5e-3, 2e-2 * 2.5e-3);
    EXPECT_NEAR(std::remainder(damping->phase - phase, std::numbers::pi), 0.0, 1e-2);
  }
}

TEST(MeasureDamping, NothingForTooFewMaxima) {
  const auto energy = damped_energy(1.0, -0.1, 1.4, 0.3, 0.1, 60);
  EXPECT_FALSE(landau::measure_damping(energy, 0.1, {3.0, 6.0}).has_value());
  EXPECT_FALSE(landau::measure_damping(std::vector<double>(50, 1.0), 0.1, {0.0, 5.0}).has_value());
}

TEST(MeasureGrowth, UsesThePartBetweenTheBounds) {
  std::vector<std::complex<double>> mode;
  for (int n = 0; n < 400; ++n) {
    const double t = 0.1 * n;
    // A growing root behind an oscillating one, and saturation.
    const double growing = 1e-6 * std::exp(0.35 * t);
    mode.push_back({growing / (1.0 + growing), 1e-6 * std::cos(1.369 * t)});
  }
  const auto rate = landau::measure_growth(mode, 0.1, 1e3, 1e-2);
  ASSERT_TRUE(rate.has_value());
  EXPECT_NEAR(*rate, 0.35, 0.35 * 0.03);
  EXPECT_FALSE(landau::measure_growth(std::vector<std::complex<double>>(100, 1.0), 0.1, 1e3, 1e-2).has_value());
  EXPECT_FALSE(landau::measure_growth(std::vector<std::complex<double>>{}, 0.1, 1e3, 1e-2).has_value());
}

TEST(MeasureFrequency, IsExactForAnOscillation) {
  std::vector<std::complex<double>> mode;
  for (int n = 0; n < 100; ++n) mode.push_back(std::complex<double>(0.3, 2.0) * std::cos(0.97 * 0.1 * n + 0.4));
  const auto frequency = landau::measure_frequency(mode, 0.1);
  ASSERT_TRUE(frequency.has_value());
  EXPECT_NEAR(*frequency, 0.97, 1e-11);
}

TEST(MeasureFrequency, NothingWithoutAnOscillation) {
  std::vector<std::complex<double>> growing;
  for (int n = 0; n < 30; ++n) growing.push_back(std::exp(0.1 * n));
  EXPECT_FALSE(landau::measure_frequency(growing, 0.1).has_value());
  EXPECT_FALSE(landau::measure_frequency(std::vector<std::complex<double>>(2, 1.0), 0.1).has_value());
}

}  // namespace
}  // namespace mylos_test
