// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "kernels/columns.hpp"

namespace landau {
namespace {

std::vector<std::complex<double>> first_mode(const RunData& data) {
  std::vector<std::complex<double>> values(data.history.extent(0));
  for (std::size_t step = 0; step < values.size(); ++step) {
    values[step] = {data.history(step, History::mode_real), data.history(step, History::mode_imaginary)};
  }
  return values;
}

// The field energy of the first mode alone: other modes hold noise, and in three dimensions there are many of them.
std::vector<double> wave_energy(const Options& options, const std::vector<std::complex<double>>& mode) {
  std::vector<double> energy(mode.size());
  std::ranges::transform(mode, energy.begin(),
                         [&](std::complex<double> e) { return 0.25 * options.volume() * std::norm(e); });
  return energy;
}

std::optional<double> relative_error(std::optional<double> value, std::optional<double> reference) {
  if (!value || !reference) return std::nullopt;
  return std::abs(*value / *reference - 1.0);
}

// The larger one; NaN stays, so that it fails its check.
double larger(double largest, double value) { return std::isnan(largest) || value <= largest ? largest : value; }

// The kinetic energy of the history is sum of w v^2 over markers; a marker is volume / markers of mass.
double energy_error(const Options& options, const RunData& data) {
  const double scale = 0.5 * options.volume() / static_cast<double>(options.markers);
  const auto total = [&](std::size_t step) {
    return data.history(step, History::field_energy) + scale * data.history(step, History::kinetic);
  };
  double largest = 0.0;
  double most_in_field = 0.0;
  for (std::size_t step = 0; step < data.history.extent(0); ++step) {
    largest = larger(largest, std::abs(total(step) - total(0)));
    most_in_field = std::max(most_in_field, data.history(step, History::field_energy));
  }
  return largest / most_in_field;
}

double momentum_error(const Options& options, const RunData& data) {
  double largest = 0.0;
  for (std::size_t step = 1; step < data.history.extent(0); ++step) {
    for (int axis = 0; axis < options.dimension; ++axis) {
      const int c = History::momentum_x + axis;
      largest = larger(largest, std::abs(data.history(step, c) - data.history(0, c)));
    }
  }
  return largest / static_cast<double>(options.markers);
}

// Nodes hold sums of whole numbers with room for eight times all markers. Half of that in absolute values proves that
// no node has overflowed; beyond, the charge on the grid means nothing.
double charge_error(const Options& options, const RunData& data) {
  const auto markers = static_cast<double>(options.markers);
  double largest = 0.0;
  for (std::size_t step = 0; step < data.history.extent(0); ++step) {
    if (!(data.history(step, History::marker_magnitude) <= 4.0 * markers))
      return std::numeric_limits<double>::infinity();
    largest = larger(largest,
                     std::abs(data.history(step, History::grid_charge) - data.history(step, History::marker_charge)));
  }
  return largest / markers;
}

Scheme scheme_of(const Options& options) {
  return Scheme::of_grid(options.k, options.cell_size(), options.dt, options.field_operator);
}

void measure_landau(const Options& options, const RunData& data, Report& report) {
  const Wave theory = landau_wave(options.k);
  const Wave discrete = landau_wave(options.k, scheme_of(options));
  report.window = measuring_window(options);
  report.maxima_expected = static_cast<int>(energy_maxima(theory, report.window.after, report.window.before).size());
  report.rate_theory = theory.rate;
  report.rate_discrete = discrete.rate;
  report.frequency_theory = theory.frequency;
  report.frequency_discrete = discrete.frequency;
  report.amplitude_theory = theory.amplitude;
  report.phase_theory = theory.phase;
  const std::vector<std::complex<double>> modes = first_mode(data);
  report.damping = measure_damping(wave_energy(options, modes), options.dt, report.window);
  double cosine = 0.0;
  double sine = 0.0;
  for (const std::complex<double> mode : modes) {
    cosine = std::max(cosine, std::abs(mode.real()));
    sine = std::max(sine, std::abs(mode.imag()));
  }
  report.symmetry_error = cosine / sine;
  if (!report.damping) return;
  report.rate = report.damping->rate;
  report.frequency = report.damping->frequency;
  // Field energy of a wave of amplitude (epsilon / k) A: a quarter of the volume times the square.
  report.amplitude = std::sqrt(4.0 * report.damping->peak_energy / options.volume()) * options.k / options.epsilon;
  report.phase = report.damping->phase;
  report.phase_error = std::abs(std::remainder(*report.phase - theory.phase, std::numbers::pi));
}

void measure_two_stream(const Options& options, const RunData& data, Report& report) {
  report.rate_theory = two_stream_growth(options.k, options.beam_velocity);
  report.rate = measure_growth(first_mode(data), options.dt, 1e3, 1e-2);
}

void measure_cold_plasma(const Options& options, const RunData& data, Report& report) {
  report.frequency_theory = 1.0;
  report.frequency_discrete = cold_frequency(scheme_of(options), options.dt);
  report.frequency = measure_frequency(first_mode(data), options.dt);
}

class Checklist {
 public:
  explicit Checklist(std::vector<Check>& checks) : checks_(checks) {}
  void operator()(std::string name, std::optional<double> value, double tolerance) {
    checks_.push_back({std::move(name), value.value_or(std::numeric_limits<double>::quiet_NaN()), tolerance});
  }

 private:
  std::vector<Check>& checks_;
};

void check_landau(const Options& options, Report& report) {
  Checklist check(report.checks);
  const bool flat = options.dimension == 1;
  const bool sharp = flat || !options.full_f;  // full-f in 3D has noise and a larger perturbation
  const int found = report.damping ? static_cast<int>(report.damping->maxima.size()) : 0;
  check("maxima_missing_or_extra", std::abs(found - report.maxima_expected), 0.0);
  check("damping_rate_error", report.rate_error, flat ? 0.02 : 0.05);
  check("frequency_error", report.frequency_error, 0.01);
  check("discrete_damping_rate_error", report.rate_discrete_error, flat ? 0.01 : (sharp ? 0.015 : 0.05));
  check("discrete_frequency_error", report.frequency_discrete_error, flat ? 0.003 : (sharp ? 0.005 : 0.01));
  check("amplitude_error", report.amplitude_error, 0.02);
  check("phase_error", report.phase_error, 0.02);
  check("symmetry_error", report.symmetry_error, 5e-3);
  check("energy_error", report.energy_error, flat ? 0.01 : (sharp ? 0.05 : 0.2));
  check("momentum_error", report.momentum_error, options.controlled() ? 1e-3 * options.epsilon : 1e-12);
}

}  // namespace

bool Report::passed() const { return std::ranges::all_of(checks, &Check::passed); }

Window measuring_window(const Options& options) {
  // Where runs of the verified sizes are still clear of noise: 40, 20, 14 and 10 for k = 0.3, 0.4, 0.5 and 0.6.
  const double k = options.k;
  const double clear =
      k < 0.4 ? 20.0 + 200.0 * (0.4 - k) : (k < 0.5 ? 14.0 + 60.0 * (0.5 - k) : 14.0 - 40.0 * (k - 0.5));
  return {3.0, std::min(clear, static_cast<double>(options.steps - 1) * options.dt)};
}

Report judge(const Options& options, const RunData& data) {
  Report report;
  report.energy_error = energy_error(options, data);
  report.momentum_error = momentum_error(options, data);
  report.charge_error = charge_error(options, data);
  if (options.mode == Mode::landau) measure_landau(options, data, report);
  if (options.mode == Mode::two_stream) measure_two_stream(options, data, report);
  if (options.mode == Mode::cold_plasma) measure_cold_plasma(options, data, report);
  report.rate_error = relative_error(report.rate, report.rate_theory);
  report.rate_discrete_error = relative_error(report.rate, report.rate_discrete);
  report.frequency_error = relative_error(report.frequency, report.frequency_theory);
  report.frequency_discrete_error = relative_error(report.frequency, report.frequency_discrete);
  report.amplitude_error = relative_error(report.amplitude, report.amplitude_theory);

  Checklist check(report.checks);
  if (options.mode == Mode::landau) check_landau(options, report);
  if (options.mode == Mode::two_stream) check("growth_rate_error", report.rate_error, 0.01);
  if (options.mode == Mode::cold_plasma) {
    check("frequency_error", report.frequency_error, 1e-3);
    check("discrete_frequency_error", report.frequency_discrete_error, 1e-5);
  }
  check("charge_error", report.charge_error, 1e-12);
  return report;
}

std::vector<std::string> failures(const Options& options, const Report& report) {
  std::vector<std::string> sentences;
  for (const Check& check : report.checks) {
    if (check.passed()) continue;
    const std::string value = std::isnan(check.value)
                                  ? std::string("could not be measured")
                                  : fmt::format("is {:.3g}, more than {:.3g}", check.value, check.tolerance);
    sentences.push_back(fmt::format(
        "{} {}: {} steps of {} with {} particles, epsilon {} and k {} do not give the expected physics: take more "
        "particles or steps, a smaller epsilon, or --no-check",
        check.name, value, options.steps, options.dt, options.markers, options.epsilon, options.k));
  }
  return sentences;
}

}  // namespace landau
