// SPDX-License-Identifier: MIT
// The field of a charge density, mode by mode: E = -i kappa rho / K^2.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../columns.hpp"

namespace landau::kernels::host {

/// Element i is mode i of the grid (nx, ny, nz), z fastest. density is (nodes, 1, 2), field (nodes, components, 2).
/// symbols(axis, mode on the axis, gradient and laplacian) are kappa and K^2; scale turns density into charge density.
/// The mean has no field: the ions' background cancels it.
struct poisson {
  template <class Field, class Density, class Symbols>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Field& field, const Density& density, const Symbols& symbols,
                                  std::int64_t ny, std::int64_t nz, double scale) const {
    const std::int64_t mode[3] = {i / (ny * nz), i / nz % ny, i % nz};
    double laplacian = 0.0;
    for (int axis = 0; axis < 3; ++axis) laplacian += symbols(axis, mode[axis], Symbol::laplacian);
    const double factor = laplacian > 0.0 ? scale / laplacian : 0.0;
    const auto components = static_cast<int>(field.extent(1));
    for (int c = 0; c < components; ++c) {
      const double gradient = symbols(c, mode[c], Symbol::gradient) * factor;
      field(i, c, 0) = gradient * density(i, 0, 1);
      field(i, c, 1) = -gradient * density(i, 0, 0);
    }
  }
};

}  // namespace landau::kernels::host
