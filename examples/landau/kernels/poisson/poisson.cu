// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>

#include "../columns.hpp"

using landau::Symbol;

extern "C" __global__ void poisson(mylos::Array<double, 3> field, mylos::Array<const double, 3> density,
                                   mylos::Array<const double, 3> symbols, std::int64_t ny, std::int64_t nz,
                                   double scale) {
  MYLOS_THREAD_1D(i, field.extent(0));
  const std::int64_t mode[3] = {i / (ny * nz), i / nz % ny, i % nz};
  double laplacian = 0.0;
  for (int axis = 0; axis < 3; ++axis) laplacian += symbols(axis, mode[axis], Symbol::laplacian);
  const double factor = laplacian > 0.0 ? scale / laplacian : 0.0;
  for (int c = 0; c < field.extent(1); ++c) {
    const double gradient = symbols(c, mode[c], Symbol::gradient) * factor;
    field(i, c, 0) = gradient * density(i, 0, 1);
    field(i, c, 1) = -gradient * density(i, 0, 0);
  }
}
