// SPDX-License-Identifier: MIT
// What every kernel does with one marker: its cell, its way around the periodic box, its control-variate weight.
// Positions are in units of the cell size, 0 <= position < cells.
#pragma once

#include <mylos/device/integers.hpp>
#include <mylos/device/platform.hpp>

#if !MYLOS_IN_KERNEL_TEXT
#  include <cmath>
#endif

namespace landau {

/// The two nodes around a position and their shares (linear shape, "cloud in cell").
struct Cloud {
  std::int64_t node[2];
  double share[2];
};

MYLOS_FUNCTION inline Cloud cloud_at(double position, std::int64_t cells) {
  const auto lower = static_cast<std::int64_t>(position);
  const std::int64_t upper = lower + 1 == cells ? 0 : lower + 1;
  const double share = position - static_cast<double>(lower);
  return {{lower, upper}, {1.0 - share, share}};
}

/// A weight as a whole number of units; units_per_marker is a power of two. Weights are added up as integers because
/// these have the same sum in any order: a run is the same, bit by bit, for any number of threads and on every backend.
/// Nothing is looked at here: a weight that is far too large, or NaN, shows in MarkerSums::magnitude.
MYLOS_FUNCTION inline std::int64_t in_units(double weight, double units_per_marker) {
  return ::llrint(weight * units_per_marker);
}

/// What the two nodes of a cloud get of a number of units. Together it is that number: no charge is lost or made.
struct Parts { std::int64_t part[2]; };

MYLOS_FUNCTION inline Parts divided(std::int64_t units, const Cloud& cloud) {
  const auto upper = static_cast<std::int64_t>(static_cast<double>(units) * cloud.share[1]);
  return {{units - upper, upper}};
}

/// The same place in the periodic box; always a valid position, NaN becomes 0.
MYLOS_FUNCTION inline double wrapped(double position, double cells) {
  if (position >= 0.0 && position < cells) return position;
  position -= cells * ::floor(position / cells);
  return position >= 0.0 && position < cells ? position : 0.0;  // just below 0 is rounded to `cells`
}

/// What a marker carries of the difference to a Maxwellian. f0(v) / f0(v_start) is what has become of its share of the
/// equilibrium: phase-space volume is conserved.
MYLOS_FUNCTION inline double delta_weight(double weight, double start_squared, double now_squared) {
  return weight - ::exp(0.5 * (start_squared - now_squared));
}

}  // namespace landau
