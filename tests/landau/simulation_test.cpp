// SPDX-License-Identifier: MIT
// The physics of whole runs, on the host and on the emulated device.
#include "simulation.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>

#include "kernels/columns.hpp"
#include "kernels/marker.hpp"
#include "plasma.hpp"
#include "runs.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using landau::FieldOperator;
using landau::Mode;
using landau::Options;

INSTANTIATE_TEST_SUITE_P(Runs, OnBackend, both_backends(), backend_name);

TEST_P(OnBackend, WaveDampsAtLandausRate) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Options options = landau::options_for(Mode::landau);
    options.seed = seed;
    EXPECT_TRUE(passes(options, run_on(GetParam(), options)));
  }
}

TEST_P(OnBackend, WaveDampsAtLandausRateForARandomSeed) {
  Options options = landau::options_for(Mode::landau);
  options.seed = random_seed() % 1000;
  EXPECT_TRUE(passes(options, run_on(GetParam(), options)));
}

TEST_P(OnBackend, WaveDampsWithTheSpectralOperator) {
  Options options = landau::options_for(Mode::landau);
  options.field_operator = FieldOperator::spectral;
  EXPECT_TRUE(passes(options, run_on(GetParam(), options)));
}

TEST_P(OnBackend, WaveDampsWithoutControlVariate) {
  const Options options = landau::options_for(Mode::landau, 1, true);
  EXPECT_TRUE(passes(options, run_on(GetParam(), options)));
}

TEST_P(OnBackend, WaveDampsInThreeDimensions) {
  for (const std::uint64_t seed : {1U, 2U}) {
    Options options = landau::options_for(Mode::landau, 3);
    options.seed = seed;
    const landau::RunData data = run_on(GetParam(), options);
    EXPECT_TRUE(passes(options, data));
    EXPECT_TRUE(is_near_theory(options, data));
  }
}

TEST_P(OnBackend, BeamsGrowAtTheRateOfTheory) {
  const Options options = landau::options_for(Mode::two_stream);
  EXPECT_TRUE(passes(options, run_on(GetParam(), options)));
}

TEST_P(OnBackend, ColdPlasmaOscillatesAtTheFrequencyOfTheScheme) {
  Options options = landau::options_for(Mode::cold_plasma);
  EXPECT_TRUE(passes(options, run_on(GetParam(), options)));
  options.field_operator = FieldOperator::spectral;
  EXPECT_TRUE(passes(options, run_on(GetParam(), options)));
}

TEST_P(OnBackend, EnergyErrorIsOfSecondOrderInTheTimeStep) {
  const auto energy_error = [](double dt) {
    Options options = landau::options_for(Mode::landau, 1, true);
    options.markers = 100'000;
    options.epsilon = 0.5;
    options.field_operator = FieldOperator::spectral;  // its field energy is the one that the continuous system keeps
    options.dt = dt;
    options.steps = static_cast<std::int64_t>(std::lround(10.0 / dt)) + 1;
    return landau::judge(options, run_on(GetParam(), options)).energy_error;
  };
  const double coarse = energy_error(0.2);
  const double middle = energy_error(0.1);
  const double fine = energy_error(0.05);
  EXPECT_GE(coarse / middle, 3.8);
  EXPECT_LE(coarse / middle, 4.2);
  EXPECT_GE(middle / fine, 3.8);
  EXPECT_LE(middle / fine, 4.2);
}

TEST_P(OnBackend, StepsCopyNothing) {
  for (const int dimension : {1, 3}) {
    SCOPED_TRACE(dimension);
    Options options = landau::options_for(Mode::landau, dimension);
    options.steps = 20;
    const landau::RunData data = run_on(GetParam(), options);
    EXPECT_EQ(data.copies_in_steps.to_host, 0);
    EXPECT_EQ(data.copies_in_steps.to_device, 0);
    EXPECT_EQ(data.copies.to_host > 0, GetParam() != mylos::Backend::host);
  }
}

TEST_P(OnBackend, ProgressCountsEveryStep) {
  const mylos::ScopedBackend scope(GetParam());
  Options options = landau::options_for(Mode::landau);
  options.markers = 1000;
  options.steps = 7;
  std::int64_t calls = 0;
  (void)landau::simulate(options, [&](std::int64_t done) { EXPECT_EQ(done, ++calls); });
  EXPECT_EQ(calls, 7);
}

TEST_P(OnBackend, OneMarkerOnTheSmallestGrid) {
  Options options = landau::options_for(Mode::landau);
  options.markers = 1;
  options.cells = {4, 1, 1};
  options.steps = 3;
  const landau::RunData data = run_on(GetParam(), options);
  EXPECT_EQ(data.position.extent(0), 1U);
  EXPECT_LE(landau::judge(options, data).charge_error, 1e-12);
}

// Largest difference of two Views on the host, relative to the largest absolute value.
template <class View>
double difference(const View& a, const View& b) {
  EXPECT_GT(a.size(), 0U);
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0;
  double apart = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a.data()[i]));
    apart = std::max(apart, std::abs(a.data()[i] - b.data()[i]));
  }
  return apart / largest;
}

// The same for the history's columns that are sums of positive numbers over markers or nodes.
double difference_of_energies(const landau::RunData& a, const landau::RunData& b) {
  double apart = 0.0;
  for (const int column : {landau::History::kinetic, landau::History::field_energy}) {
    const auto copy = [column](const landau::RunData& data) {
      const landau::RunData::HostView<double*> values("column", data.history.extent(0));
      Kokkos::deep_copy(values, Kokkos::subview(data.history, Kokkos::ALL, column));
      return values;
    };
    apart = std::max(apart, difference(copy(a), copy(b)));
  }
  return apart;
}

Options small_full_f_in_three_dimensions() {
  Options options = landau::options_for(Mode::landau, 3, true);
  options.markers = 50'000;
  return options;
}

class Agreement : public ::testing::TestWithParam<Options> {};

// Charge is added up in whole numbers, and neither side fuses products and sums: the emulated device has the bits of
// the host at every step, on any number of threads. A device that rounds in another way may differ by 1e-12 of the
// largest |E|, and by more where a plasma amplifies what was rounded. Energies are sums of doubles, whose order is
// free.
TEST_P(Agreement, OfBothBackendsAtEveryStep) {
  const Options options = GetParam();
  ASSERT_EQ(options.field_interval(), 1);
  const landau::RunData host = run_on(mylos::Backend::host, options);
  for (const unsigned threads : {1U, 2U}) {
    const auto scope = mylos::emulator::with({.threads = threads});
    const landau::RunData emulated = run_on(mylos::Backend::emulated, options);
    EXPECT_NE(host.implementation, emulated.implementation);
    EXPECT_EQ(difference(host.field, emulated.field), 0.0) << threads << " threads";
    EXPECT_EQ(difference(host.position, emulated.position), 0.0) << threads << " threads";
    EXPECT_EQ(difference(host.velocity, emulated.velocity), 0.0) << threads << " threads";
    EXPECT_LE(difference_of_energies(host, emulated), 1e-12) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Agreement,
                         ::testing::Values(landau::options_for(Mode::landau),
                                           landau::options_for(Mode::landau, 1, true),
                                           landau::options_for(Mode::landau, 3), small_full_f_in_three_dimensions(),
                                           landau::options_for(Mode::two_stream),
                                           landau::options_for(Mode::cold_plasma)),
                         [](const auto& run) {
                           return std::string(to_string(run.param.mode)) + std::to_string(run.param.dimension) + "D" +
                                  (run.param.controlled() ? "ControlVariate" : "FullF");
                         });

TEST(UnitsPerMarker, LeaveRoomForEightTimesAllMarkersAndNotMuchMore) {
  for (const std::int64_t markers : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{100'000},
                                     std::int64_t{1} << 20, (std::int64_t{1} << 20) + 1, std::int64_t{1} << 53}) {
    const double all = landau::units_per_marker(markers) * static_cast<double>(markers);
    EXPECT_LE(8.0 * all, 0x1p63) << markers;
    EXPECT_GT(8.0 * all, 0x1p62) << markers;
    EXPECT_EQ(landau::in_units(1.0, landau::units_per_marker(markers)) * markers, std::llround(all)) << markers;
  }
}

TEST(Simulation, SameSeedSameBitsOnTheHost) {
  Options options = landau::options_for(Mode::landau);
  options.markers = 5000;
  const landau::RunData first = run_on(mylos::Backend::host, options);
  const landau::RunData second = run_on(mylos::Backend::host, options);
  EXPECT_EQ(difference(first.field, second.field), 0.0);
  options.seed = 2;
  EXPECT_GT(difference(first.field, run_on(mylos::Backend::host, options).field), 1e-6);
}

TEST(Report, TooFewMarkersAndTooFewStepsAreOutOfTolerance) {
  Options options = landau::options_for(Mode::landau);
  options.markers = 300;
  EXPECT_FALSE(passes(options, run_on(mylos::Backend::host, options)));
  options = landau::options_for(Mode::landau);
  options.steps = 30;
  const landau::RunData data = run_on(mylos::Backend::host, options);
  const landau::Report report = landau::judge(options, data);
  EXPECT_FALSE(report.rate.has_value());
  EXPECT_FALSE(report.passed());
}

TEST(Report, AWrongChargeOrAWrongWaveIsFound) {
  Options options = landau::options_for(Mode::landau);
  const landau::RunData data = run_on(mylos::Backend::host, options);
  Options other = options;
  other.k = 0.51;  // theory of another wave
  EXPECT_FALSE(passes(other, data));
  data.history(40, landau::History::grid_charge) += 1e-6 * static_cast<double>(options.markers);
  EXPECT_FALSE(passes(options, data));
}

TEST(Report, SumsThatMayHaveOverflowedAndNaNAreFound) {
  const Options options = landau::options_for(Mode::landau);
  const auto spoiled = [&](landau::History::Column column, double value) {
    const landau::RunData data = run_on(mylos::Backend::host, options);
    EXPECT_TRUE(passes(options, data));
    data.history(40, column) = value;
    return data;
  };
  const auto markers = static_cast<double>(options.markers);
  EXPECT_EQ(landau::judge(options, spoiled(landau::History::marker_magnitude, 4.001 * markers)).charge_error,
            std::numeric_limits<double>::infinity());
  for (const auto column : {landau::History::marker_magnitude, landau::History::marker_charge,
                            landau::History::grid_charge, landau::History::kinetic, landau::History::momentum_x}) {
    EXPECT_FALSE(passes(options, spoiled(column, std::nan("")))) << column;
  }
}

}  // namespace
}  // namespace mylos_test
