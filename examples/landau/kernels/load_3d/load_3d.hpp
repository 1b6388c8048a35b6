// SPDX-License-Identifier: MIT
// Places marker i in three dimensions; the wave goes along x.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../quiet_start.hpp"

namespace landau::kernels::host {

/// As load_1d; x and v are (markers, 3), shifts(6) move the sequences of v_x, x, y, z, v_y, v_z.
struct load_3d {
  template <class Position, class Velocity, class Weight, class Square, class Shifts>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Position& x, const Velocity& v, const Weight& weight,
                                  const Square& start_squared, const Shifts& shifts, bool controlled, double epsilon,
                                  std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t markers) const {
    const double place = fraction(radical_inverse(i, 2) + shifts(1));
    x(i, 0) = (controlled ? place : perturbed_place(place, epsilon)) * static_cast<double>(nx);
    x(i, 1) = fraction(radical_inverse(i, 3) + shifts(2)) * static_cast<double>(ny);
    x(i, 2) = fraction(radical_inverse(i, 5) + shifts(3)) * static_cast<double>(nz);
    const double vx = normal_velocity((static_cast<double>(i) + shifts(0)) / static_cast<double>(markers));
    const double vy = normal_velocity(fraction(radical_inverse(i, 7) + shifts(4)));
    const double vz = normal_velocity(fraction(radical_inverse(i, 11) + shifts(5)));
    v(i, 0) = vx;
    v(i, 1) = vy;
    v(i, 2) = vz;
    if (controlled) {
      weight(i) = 1.0 + epsilon * Kokkos::cos(two_pi * place);
      start_squared(i) = vx * vx + vy * vy + vz * vz;
    }
  }
};

}  // namespace landau::kernels::host
