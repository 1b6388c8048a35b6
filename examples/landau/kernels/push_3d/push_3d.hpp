// SPDX-License-Identifier: MIT
// Leapfrog in three dimensions; the grid is (nx, ny, nz), z fastest, periodic.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

namespace landau::kernels::host {

/// As push_1d; x and v are (markers, 3), field is (nodes, 3).
struct push_3d {
  template <class Position, class Velocity, class Field, class Weight, class Sums>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Position& x, const Velocity& v, const Field& field,
                                  const Weight& weight, const Sums& sums, bool weighted, double kick, double drift,
                                  std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t markers,
                                  std::int64_t per_thread) const {
    const std::int64_t first = i * per_thread;
    const std::int64_t last = Kokkos::min(first + per_thread, markers);
    const double cells[3] = {static_cast<double>(nx), static_cast<double>(ny), static_cast<double>(nz)};
    double kinetic = 0.0;
    double momentum[3] = {};
    for (std::int64_t p = first; p < last; ++p) {
      double force[3] = {};
      gather(force, field, x(p, 0), x(p, 1), x(p, 2), nx, ny, nz);
      const double w = weighted ? weight(p) : 1.0;
      for (int d = 0; d < 3; ++d) {
        const double before = v(p, d);
        const double after = before + kick * force[d];
        const double mean = 0.5 * (before + after);
        kinetic += w * mean * mean;
        momentum[d] += w * mean;
        v(p, d) = after;
        x(p, d) = wrapped(x(p, d) + drift * after, cells[d]);
      }
    }
    const std::int64_t slot = i % static_cast<std::int64_t>(sums.extent(0));
    Kokkos::atomic_add(&sums(slot, MarkerSums::kinetic), kinetic);
    for (int d = 0; d < 3; ++d) Kokkos::atomic_add(&sums(slot, MarkerSums::momentum_x + d), momentum[d]);
  }

 private:
  template <class Field>
  KOKKOS_FUNCTION static void gather(double (&force)[3], const Field& field, double x, double y, double z,
                                     std::int64_t nx, std::int64_t ny, std::int64_t nz) {
    const Cloud cx = cloud_at(x, nx);
    const Cloud cy = cloud_at(y, ny);
    const Cloud cz = cloud_at(z, nz);
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) {
        for (int c = 0; c < 2; ++c) {
          const std::int64_t node = (cx.node[a] * ny + cy.node[b]) * nz + cz.node[c];
          const double share = cx.share[a] * cy.share[b] * cz.share[c];
          for (int d = 0; d < 3; ++d) force[d] -= share * field(node, d);
        }
      }
    }
  }
};

}  // namespace landau::kernels::host
