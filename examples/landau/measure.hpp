// SPDX-License-Identifier: MIT
// Rates and frequencies out of a run's history. Plain arithmetic on equidistant samples, sample n at time n dt.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

namespace landau {

/// The part of a run that is looked at: after < t < before.
struct Window { double after = 0.0, before = 0.0; };

struct Line { double intercept = 0.0, slope = 0.0; };
/// The straight line through points of equal weight, by least squares. Needs two different x.
[[nodiscard]] Line fit_line(std::span<const double> x, std::span<const double> y);

struct Maximum { double time = 0.0, log_value = 0.0; };
/// Local maxima of positive samples, each refined by the parabola through the logarithms of three samples.
[[nodiscard]] std::vector<Maximum> find_maxima(std::span<const double> samples, double dt, Window window);

struct Damping {
  double rate = 0.0, frequency = 0.0;
  double peak_energy = 0.0;  ///< the line through the maxima, continued to t = 0
  double phase = 0.0;        ///< the energy goes as cos^2(frequency t - phase) exp(2 rate t); in (-pi/2, pi/2]
  std::vector<Maximum> maxima;
};
/// Rate and frequency of a wave from the maxima of its energy: the slope of their logarithms is twice the rate, and
/// they are half a period apart. Nothing when fewer than three maxima lie in the window.
[[nodiscard]] std::optional<Damping> measure_damping(std::span<const double> energy, double dt, Window window);

/// Half the slope of log |mode|^2 between `above` times its first value and `below` times its largest: the rate of an
/// instability, after the other roots have been outgrown and before saturation. Nothing when that part is shorter than
/// ten samples.
[[nodiscard]] std::optional<double> measure_growth(std::span<const std::complex<double>> mode, double dt, double above,
                                                   double below);

/// Frequency of an undamped oscillation: the best cos(frequency dt) in mode[n+1] + mode[n-1] = 2 cos(...) mode[n].
/// Nothing for fewer than three samples, or when there is no oscillation.
[[nodiscard]] std::optional<double> measure_frequency(std::span<const std::complex<double>> mode, double dt);

}  // namespace landau
