// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/atomic.hpp>
#include <mylos/device/index.hpp>

#include "../columns.hpp"

using landau::History;
using landau::MarkerSums;
using mylos::device::atomic_add;

extern "C" __global__ void diagnostics(mylos::Array<double, 2> history, mylos::Array<double, 2> sums,
                                       mylos::Array<const double, 1> charge, mylos::Array<const double, 3> spectrum,
                                       std::int64_t step, std::int64_t mode, double half_volume) {
  const std::int64_t i = mylos::device::thread_x();
  if (i < charge.extent(0)) {
    double squares = 0.0;
    for (int c = 0; c < spectrum.extent(1); ++c) {
      squares += spectrum(i, c, 0) * spectrum(i, c, 0) + spectrum(i, c, 1) * spectrum(i, c, 1);
    }
    atomic_add(&history(step, History::field_energy), half_volume * squares);
    atomic_add(&history(step, History::grid_charge), charge(i));
  }
  if (i == mode) {
    history(step, History::mode_real) = 2.0 * spectrum(i, 0, 0);
    history(step, History::mode_imaginary) = 2.0 * spectrum(i, 0, 1);
  }
  if (i < sums.extent(0)) {
    for (int c = 0; c < MarkerSums::columns; ++c) {
      atomic_add(&history(step, History::marker_charge + c), sums(i, c));
      sums(i, c) = 0.0;
    }
  }
}
