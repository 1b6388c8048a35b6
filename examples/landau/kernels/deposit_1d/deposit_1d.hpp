// SPDX-License-Identifier: MIT
// Adds the markers' weights to the grid, in whole units: linear shape, periodic.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

namespace landau::kernels::host {

/// Element i takes the markers i * per_thread ... of one run. With a control variate it is the difference to the
/// equilibrium that is deposited, otherwise 1 per marker, and weight, start_squared and v are not read.
/// Sums of what was deposited go to the columns `charge` and `magnitude` of sums, as floating-point numbers: a check.
struct deposit_1d {
  template <class Units, class Sums, class Position, class Velocity, class Weight, class Square>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Units& units, const Sums& sums, const Position& x,
                                  const Velocity& v, const Weight& weight, const Square& start_squared, bool controlled,
                                  double units_per_marker, std::int64_t cells, std::int64_t markers,
                                  std::int64_t per_thread) const {
    const std::int64_t first = i * per_thread;
    const std::int64_t last = Kokkos::min(first + per_thread, markers);
    double total = 0.0;
    double magnitude = 0.0;
    for (std::int64_t p = first; p < last; ++p) {
      const double w = controlled ? delta_weight(weight(p), start_squared(p), v(p) * v(p)) : 1.0;
      const Cloud cloud = cloud_at(x(p), cells);
      const Parts parts = divided(in_units(w, units_per_marker), cloud);
      Kokkos::atomic_add(&units(cloud.node[0]), parts.part[0]);
      Kokkos::atomic_add(&units(cloud.node[1]), parts.part[1]);
      total += w;
      magnitude += Kokkos::fabs(w);
    }
    const std::int64_t slot = i % static_cast<std::int64_t>(sums.extent(0));
    Kokkos::atomic_add(&sums(slot, MarkerSums::charge), total);
    Kokkos::atomic_add(&sums(slot, MarkerSums::magnitude), magnitude);
  }
};

}  // namespace landau::kernels::host
