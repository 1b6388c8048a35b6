// SPDX-License-Identifier: MIT
// Places marker i of one cold plasma at rest, or of two cold beams against each other.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../quiet_start.hpp"

namespace landau::kernels::host {

/// Each beam is equidistant, displaced by (epsilon / k) cos(k x); marker i belongs to beam i % beams, and beams have
/// the velocities -beam_velocity and +beam_velocity in turn.
struct load_beams {
  template <class Position, class Velocity>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Position& x, const Velocity& v, int beams, double beam_velocity,
                                  double epsilon, std::int64_t cells, std::int64_t markers, double shift_x) const {
    const double number = static_cast<double>(i / beams) + 0.5;
    const double place = fraction(number / static_cast<double>(markers / beams) + shift_x);
    const double displaced = fraction(place + epsilon / two_pi * Kokkos::cos(two_pi * place));
    x(i) = displaced * static_cast<double>(cells);
    v(i) = i % beams == 0 ? -beam_velocity : beam_velocity;
  }
};

}  // namespace landau::kernels::host
