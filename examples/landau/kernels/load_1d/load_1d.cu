// SPDX-License-Identifier: MIT
#include <mylos/device/index.hpp>

#include "../quiet_start.hpp"

extern "C" __global__ void load_1d(double* x, double* v, double* weight, double* start_squared, bool controlled,
                                   double epsilon, std::int64_t cells, std::int64_t markers, double shift_x,
                                   double shift_v) {
  MYLOS_THREAD_1D(i, markers);
  const double place = landau::fraction(landau::radical_inverse(i, 2) + shift_x);
  const double velocity = landau::normal_velocity((i + shift_v) / markers);
  v[i] = velocity;
  if (controlled) {
    x[i] = place * cells;
    weight[i] = 1.0 + epsilon * cos(landau::two_pi * place);
    start_squared[i] = velocity * velocity;
  } else {
    x[i] = landau::perturbed_place(place, epsilon) * cells;
  }
}
