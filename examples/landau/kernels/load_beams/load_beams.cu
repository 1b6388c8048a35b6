// SPDX-License-Identifier: MIT
#include <mylos/device/index.hpp>

#include "../quiet_start.hpp"

extern "C" __global__ void load_beams(double* x, double* v, int beams, double beam_velocity, double epsilon,
                                      std::int64_t cells, std::int64_t markers, double shift_x) {
  MYLOS_THREAD_1D(i, markers);
  const double number = i / beams + 0.5;
  const double place = landau::fraction(number / (markers / beams) + shift_x);
  const double displaced = landau::fraction(place + epsilon / landau::two_pi * cos(landau::two_pi * place));
  x[i] = displaced * cells;
  v[i] = i % beams == 0 ? -beam_velocity : beam_velocity;
}
