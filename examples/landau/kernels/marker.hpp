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
