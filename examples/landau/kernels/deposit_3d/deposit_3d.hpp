// SPDX-License-Identifier: MIT
// Adds the markers' weights to the eight nodes around them, in whole units; the grid is (nx, ny, nz), z fastest,
// periodic.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

namespace landau::kernels::host {

/// As deposit_1d; x and v are (markers, 3).
struct deposit_3d {
  template <class Units, class Sums, class Position, class Velocity, class Weight, class Square>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Units& units, const Sums& sums, const Position& x,
                                  const Velocity& v, const Weight& weight, const Square& start_squared, bool controlled,
                                  double units_per_marker, std::int64_t nx, std::int64_t ny, std::int64_t nz,
                                  std::int64_t markers, std::int64_t per_thread) const {
    const std::int64_t first = i * per_thread;
    const std::int64_t last = Kokkos::min(first + per_thread, markers);
    double total = 0.0;
    double magnitude = 0.0;
    for (std::int64_t p = first; p < last; ++p) {
      const double squared = v(p, 0) * v(p, 0) + v(p, 1) * v(p, 1) + v(p, 2) * v(p, 2);
      const double w = controlled ? delta_weight(weight(p), start_squared(p), squared) : 1.0;
      const Cloud cx = cloud_at(x(p, 0), nx);
      const Cloud cy = cloud_at(x(p, 1), ny);
      const Cloud cz = cloud_at(x(p, 2), nz);
      const Parts in_x = divided(in_units(w, units_per_marker), cx);
      for (int a = 0; a < 2; ++a) {
        const Parts in_y = divided(in_x.part[a], cy);
        for (int b = 0; b < 2; ++b) {
          const Parts in_z = divided(in_y.part[b], cz);
          const std::int64_t line = (cx.node[a] * ny + cy.node[b]) * nz;
          Kokkos::atomic_add(&units(line + cz.node[0]), in_z.part[0]);
          Kokkos::atomic_add(&units(line + cz.node[1]), in_z.part[1]);
        }
      }
      total += w;
      magnitude += Kokkos::fabs(w);
    }
    const std::int64_t slot = i % static_cast<std::int64_t>(sums.extent(0));
    Kokkos::atomic_add(&sums(slot, MarkerSums::charge), total);
    Kokkos::atomic_add(&sums(slot, MarkerSums::magnitude), magnitude);
  }
};

}  // namespace landau::kernels::host
