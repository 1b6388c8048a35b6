// SPDX-License-Identifier: MIT
#include "theory.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using landau::FieldOperator;
using landau::Scheme;
using landau::Wave;
constexpr double pi = std::numbers::pi;

// Z by its definition as an integral over the real line, for z above it; spectrally exact for a Gaussian.
std::complex<double> plasma_dispersion_by_integral(std::complex<double> z) {
  constexpr double step = 1.0 / 256.0;
  std::complex<double> sum = 0.0;
  for (int i = -2048; i <= 2048; ++i) {
    const double t = i * step;
    sum += std::exp(-t * t) / (t - z);
  }
  return sum * step / std::sqrt(pi);
}

TEST(PlasmaDispersion, IsTheIntegralAboveTheRealAxis) {
  for (const std::complex<double> z :
       {std::complex<double>{0.0, 0.5}, {1.0, 0.3}, {-2.5, 0.7}, {0.1, 3.0}, {5.0, 0.2}}) {
    EXPECT_NEAR(std::abs(landau::plasma_dispersion(z) - plasma_dispersion_by_integral(z)), 0.0, 2e-14) << z;
  }
}

TEST(PlasmaDispersion, KnownValueAtZeroAndSymmetries) {
  EXPECT_NEAR(std::abs(landau::plasma_dispersion(0.0) - std::complex<double>(0.0, std::sqrt(pi))), 0.0, 1e-14);
  for (const std::complex<double> z : {std::complex<double>{0.7, 0.4}, {1.9, -0.3}, {3.0, -1.0}}) {
    const auto value = landau::plasma_dispersion(z);
    EXPECT_NEAR(std::abs(landau::plasma_dispersion(-std::conj(z)) + std::conj(value)), 0.0, 1e-12 * std::abs(value));
    // The continuation below the axis: Z(z) + Z(-z) = 2 i sqrt(pi) exp(-z^2).
    const auto sum = value + landau::plasma_dispersion(-z);
    const auto expected = std::complex<double>(0.0, 2.0 * std::sqrt(pi)) * std::exp(-z * z);
    EXPECT_NEAR(std::abs(sum - expected), 0.0, 1e-12 * std::abs(expected)) << z;
  }
}

TEST(PlasmaDispersion, LargeArgumentsFollowTheAsymptoticSeries) {
  const std::complex<double> z{0.0, 40.0};
  const auto series = -1.0 / z * (1.0 + 0.5 / (z * z) + 0.75 / (z * z * z * z));
  EXPECT_NEAR(std::abs(landau::plasma_dispersion(z) / series - 1.0), 0.0, 1e-9);
}

struct KnownRoot { double k, frequency, rate; };

class LandauRoots : public ::testing::TestWithParam<KnownRoot> {};

TEST_P(LandauRoots, AgreeWithTheTable) {
  const auto [k, frequency, rate] = GetParam();
  const Wave wave = landau::landau_wave(k);
  EXPECT_NEAR(wave.frequency, frequency, 1e-12);
  EXPECT_NEAR(wave.rate, rate, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Table, LandauRoots,
                         ::testing::Values(KnownRoot{0.3, 1.159846480592, -0.012620368421},
                                           KnownRoot{0.4, 1.285056969654, -0.066127958691},
                                           KnownRoot{0.5, 1.415661888605, -0.153359466910},
                                           KnownRoot{0.6, 1.545706755093, -0.264110338171}));

TEST(LandauWave, AmplitudePhaseAndMaxima) {
  const Wave wave = landau::landau_wave(0.5);
  EXPECT_NEAR(wave.amplitude, 0.735404, 1e-6);
  EXPECT_NEAR(wave.phase, 0.536245, 1e-6);
  const auto times = landau::energy_maxima(wave, 3.0, 14.0);
  const std::vector<double> expected = {4.7409, 6.9601, 9.1792, 11.3984, 13.6176};
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-4);
  // E(0) = epsilon / k is the sum over all roots; the least damped one alone is not far from it.
  EXPECT_NEAR(wave.amplitude * std::cos(wave.phase), 1.0, 0.5);
}

TEST(LandauWave, HardlyDampsLongWaves) {
  const Wave wave = landau::landau_wave(0.2);
  EXPECT_NEAR(wave.frequency, 1.0640, 5e-5);  // Canosa, J. Comput. Phys. 13 (1973) 158-160
  EXPECT_NEAR(wave.rate, -5.511e-5, 5e-9);
  EXPECT_NEAR(wave.amplitude, 1.0, 0.15);
}

TEST(LandauWave, RefusesWaveNumbersWithoutSuchARoot) {
  for (const double k : {0.1, 1.5, -0.5, std::nan("")}) {
    EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { (void)landau::landau_wave(k); }), {"no Landau root", "0.2"}));
  }
}

TEST(DiscreteTheory, AgreesWithTheTable) {
  const auto wave = [](int cells, FieldOperator field_operator) {
    return landau::landau_wave(0.5, Scheme::of_grid(0.5, 4.0 * pi / cells, 0.1, field_operator));
  };
  EXPECT_NEAR(wave(32, FieldOperator::finite_difference).rate, -0.154897, 1e-6);
  EXPECT_NEAR(wave(32, FieldOperator::finite_difference).frequency, 1.412308, 1e-6);
  EXPECT_NEAR(wave(64, FieldOperator::finite_difference).rate, -0.153634, 1e-6);
  EXPECT_NEAR(wave(64, FieldOperator::finite_difference).frequency, 1.415061, 1e-6);
  const Wave exact = landau::landau_wave(0.5);
  EXPECT_NEAR(wave(32, FieldOperator::spectral).rate / exact.rate - 1.0, 0.0064, 1e-4);
  EXPECT_NEAR(wave(64, FieldOperator::spectral).rate / exact.rate - 1.0, 0.0009, 1e-4);
}

TEST(DiscreteTheory, ApproachesTheContinuousOne) {
  const Wave exact = landau::landau_wave(0.5);
  double before = 1.0;
  for (const int cells : {32, 64, 128, 256}) {
    const Scheme scheme = Scheme::of_grid(0.5, 4.0 * pi / cells, 3.2 / cells, FieldOperator::finite_difference);
    const double error = std::abs(landau::landau_wave(0.5, scheme).rate / exact.rate - 1.0);
    if (before < 1.0) {
      EXPECT_NEAR(before / error, 4.0, 0.2) << cells;  // second order
    }
    before = error;
  }
}

TEST(ColdFrequency, AgreesWithTheTable) {
  const double dt = 0.1;
  EXPECT_NEAR(landau::cold_frequency(Scheme::of_grid(0.5, 4.0 * pi / 64, dt, FieldOperator::spectral), dt), 0.9996132,
              1e-7);
  EXPECT_DOUBLE_EQ(landau::cold_frequency({}, 0.0), 1.0);
}

TEST(TwoStreamGrowth, IsLargestWhereTheorySaysAndEndsAtTheThreshold) {
  EXPECT_NEAR(landau::two_stream_growth(0.5, 1.224745), 1.0 / std::sqrt(8.0), 1e-9);
  EXPECT_LT(landau::two_stream_growth(0.5, 1.1), landau::two_stream_growth(0.5, 1.224745));
  EXPECT_LT(landau::two_stream_growth(0.5, 1.4), landau::two_stream_growth(0.5, 1.224745));
  EXPECT_EQ(landau::two_stream_growth(0.5, 2.1), 0.0);  // k v0 > 1
}

}  // namespace
}  // namespace mylos_test
