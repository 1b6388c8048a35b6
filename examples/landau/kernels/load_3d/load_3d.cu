// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>

#include "../quiet_start.hpp"

using landau::fraction;
using landau::normal_velocity;
using landau::radical_inverse;

extern "C" __global__ void load_3d(mylos::Array<double, 2> x, mylos::Array<double, 2> v, double* weight,
                                   double* start_squared, const double* shifts, bool controlled, double epsilon,
                                   std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t markers) {
  MYLOS_THREAD_1D(i, markers);
  const double place = fraction(radical_inverse(i, 2) + shifts[1]);
  x(i, 0) = (controlled ? place : landau::perturbed_place(place, epsilon)) * nx;
  x(i, 1) = fraction(radical_inverse(i, 3) + shifts[2]) * ny;
  x(i, 2) = fraction(radical_inverse(i, 5) + shifts[3]) * nz;
  const double vx = normal_velocity((i + shifts[0]) / markers);
  const double vy = normal_velocity(fraction(radical_inverse(i, 7) + shifts[4]));
  const double vz = normal_velocity(fraction(radical_inverse(i, 11) + shifts[5]));
  v(i, 0) = vx;
  v(i, 1) = vy;
  v(i, 2) = vz;
  if (controlled) {
    weight[i] = 1.0 + epsilon * cos(landau::two_pi * place);
    start_squared[i] = vx * vx + vy * vy + vz * vz;
  }
}
