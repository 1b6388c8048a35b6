// SPDX-License-Identifier: MIT
// Leapfrog: velocities by the field at the markers, then positions by the new velocities.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

namespace landau::kernels::host {

/// Element i takes the markers i * per_thread ... of one run. kick is the velocities' time step, drift the positions'
/// one over the cell size. The sums of w v^2 and w v, v the mean of old and new, go to sums; w is weight(p), or 1.
struct push_1d {
  template <class Position, class Velocity, class Field, class Weight, class Sums>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Position& x, const Velocity& v, const Field& field,
                                  const Weight& weight, const Sums& sums, bool weighted, double kick, double drift,
                                  std::int64_t cells, std::int64_t markers, std::int64_t per_thread) const {
    const std::int64_t first = i * per_thread;
    const std::int64_t last = Kokkos::min(first + per_thread, markers);
    double kinetic = 0.0;
    double momentum = 0.0;
    for (std::int64_t p = first; p < last; ++p) {
      const Cloud cloud = cloud_at(x(p), cells);
      const double force = -(cloud.share[0] * field(cloud.node[0]) + cloud.share[1] * field(cloud.node[1]));
      const double before = v(p);
      const double after = before + kick * force;
      const double mean = 0.5 * (before + after);
      const double w = weighted ? weight(p) : 1.0;
      kinetic += w * mean * mean;
      momentum += w * mean;
      v(p) = after;
      x(p) = wrapped(x(p) + drift * after, static_cast<double>(cells));
    }
    const std::int64_t slot = i % static_cast<std::int64_t>(sums.extent(0));
    Kokkos::atomic_add(&sums(slot, MarkerSums::kinetic), kinetic);
    Kokkos::atomic_add(&sums(slot, MarkerSums::momentum_x), momentum);
  }
};

}  // namespace landau::kernels::host
