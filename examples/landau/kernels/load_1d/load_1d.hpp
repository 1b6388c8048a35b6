// SPDX-License-Identifier: MIT
// Places marker i: a Maxwellian plasma with a small wave, one wavelength in the box.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../quiet_start.hpp"

namespace landau::kernels::host {

/// x(i), v(i) of every marker. With a control variate the places are uniform and the wave is in weight(i), and
/// start_squared(i) is v^2; otherwise the markers themselves make the wave and these two may be empty.
struct load_1d {
  template <class Position, class Velocity, class Weight, class Square>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Position& x, const Velocity& v, const Weight& weight,
                                  const Square& start_squared, bool controlled, double epsilon, std::int64_t cells,
                                  std::int64_t markers, double shift_x, double shift_v) const {
    const double place = fraction(radical_inverse(i, 2) + shift_x);
    const double velocity = normal_velocity((static_cast<double>(i) + shift_v) / static_cast<double>(markers));
    v(i) = velocity;
    if (controlled) {
      x(i) = place * static_cast<double>(cells);
      weight(i) = 1.0 + epsilon * Kokkos::cos(two_pi * place);
      start_squared(i) = velocity * velocity;
    } else {
      x(i) = perturbed_place(place, epsilon) * static_cast<double>(cells);
    }
  }
};

}  // namespace landau::kernels::host
