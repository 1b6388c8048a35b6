// SPDX-License-Identifier: MIT
// One row of the history, which stays where the run is until its end.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../columns.hpp"

namespace landau::kernels::host {

/// Element i adds node i's part of the field's energy and of the charge to history(step, ...), which must be 0 before,
/// and slot i's of the sums over markers, and sets that slot to 0. The first mode is node `mode` of spectrum, which is
/// (nodes, components, 2). Needs as many elements as there are nodes and slots, whichever are more.
struct diagnostics {
  template <class Rows, class Sums, class Charge, class Spectrum>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Rows& history, const Sums& sums, const Charge& charge,
                                  const Spectrum& spectrum, std::int64_t step, std::int64_t mode,
                                  double half_volume) const {
    const auto nodes = static_cast<std::int64_t>(charge.extent(0));
    if (i < nodes) {
      double squares = 0.0;
      for (int c = 0; c < static_cast<int>(spectrum.extent(1)); ++c) {
        squares += spectrum(i, c, 0) * spectrum(i, c, 0) + spectrum(i, c, 1) * spectrum(i, c, 1);
      }
      Kokkos::atomic_add(&history(step, History::field_energy), half_volume * squares);
      Kokkos::atomic_add(&history(step, History::grid_charge), charge(i));
    }
    if (i == mode) {
      history(step, History::mode_real) = 2.0 * spectrum(i, 0, 0);
      history(step, History::mode_imaginary) = 2.0 * spectrum(i, 0, 1);
    }
    if (i < static_cast<std::int64_t>(sums.extent(0))) {
      for (int c = 0; c < MarkerSums::columns; ++c) {
        Kokkos::atomic_add(&history(step, History::marker_charge + c), sums(i, c));
        sums(i, c) = 0.0;
      }
    }
  }
};

}  // namespace landau::kernels::host
