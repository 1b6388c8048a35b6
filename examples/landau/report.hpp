// SPDX-License-Identifier: MIT
// What a run's history says, beside what theory says, and whether the two agree well enough.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure.hpp"
#include "options.hpp"
#include "simulation.hpp"
#include "theory.hpp"

namespace landau {

/// One comparison. A value that is NaN, because it could not be measured, fails.
struct Check {
  std::string name;  ///< as in the JSON
  double value = 0.0;
  double tolerance = 0.0;
  [[nodiscard]] bool passed() const { return value <= tolerance; }
};

/// Errors are fractions and have no sign. A rate is negative for a damped wave and positive for one that grows.
/// Quantities that a mode does not have, or that could not be measured, are empty.
struct Report {
  Window window;                   ///< that the wave was measured in
  std::optional<Damping> damping;  ///< landau only, with the maxima
  int maxima_expected = 0;
  std::optional<double> rate, rate_theory, rate_error, rate_discrete, rate_discrete_error;
  std::optional<double> frequency, frequency_theory, frequency_error, frequency_discrete, frequency_discrete_error;
  std::optional<double> amplitude, amplitude_theory, amplitude_error;
  std::optional<double> phase, phase_theory, phase_error;  ///< radians, the error too
  std::optional<double> symmetry_error;                    ///< the wave's cosine part over its sine part
  double energy_error = 0.0;    ///< largest change of the total energy over the field's largest
  double momentum_error = 0.0;  ///< largest change of the mean momentum of a marker, in thermal momenta
  double charge_error = 0.0;    ///< largest difference between grid and markers, over all charge
  std::vector<Check> checks;

  [[nodiscard]] bool passed() const;
};

/// Measures and compares. The tolerances are about three to six times the worst of twenty seeds of the settings that
/// options_for() gives.
[[nodiscard]] Report judge(const Options& options, const RunData& data);

/// The part of a landau run in which the wave is measured: after the other roots have died away, before noise matters.
[[nodiscard]] Window measuring_window(const Options& options);

/// One sentence per check that failed: name, value, tolerance, and what to try.
[[nodiscard]] std::vector<std::string> failures(const Options& options, const Report& report);

}  // namespace landau
