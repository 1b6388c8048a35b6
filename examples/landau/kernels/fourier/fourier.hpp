// SPDX-License-Identifier: MIT
// A Fourier sum along one axis of a grid, for all lines and components at once.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../fourier_sum.hpp"

namespace landau::kernels::host {

/// One fourier_sum() per element i of the output.
struct fourier {
  template <class Out, class In, class Symbols>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Out& out, const In& in, const Symbols& symbols, int axis,
                                  std::int64_t length, std::int64_t stride, double sign) const {
    fourier_sum(i, out, in, symbols, axis, length, stride, sign);
  }
};

}  // namespace landau::kernels::host
