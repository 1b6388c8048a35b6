// SPDX-License-Identifier: MIT
// What the columns of the history and of the markers' sums mean, for kernels and host code alike.
#pragma once

namespace landau {

/// One row of the history is one time step.
struct History {
  enum Column : int {
    field_energy,  ///< 1/2 integral of E^2
    grid_charge,   ///< sum of the deposited weights over the nodes
    mode_real,     ///< of the first Fourier coefficient along x of E_x, times 2: E_x = Re(mode exp(i k x)) + ...
    mode_imaginary,
    marker_charge,     ///< sum of the deposited weights over the markers
    marker_magnitude,  ///< sum of their absolute values
    kinetic,           ///< sum of w |v|^2 over the markers, v at the time of the step
    momentum_x,        ///< sum of w v
    momentum_y,
    momentum_z,
    columns
  };
};

/// Sums over markers, kept apart in several rows ("slots") so that atomic additions seldom meet. Column c of a row
/// belongs to the history's column marker_charge + c.
struct MarkerSums {
  enum Column : int { charge, magnitude, kinetic, momentum_x, momentum_y, momentum_z, columns };
};

/// What a table row (axis, mode) holds.
struct Symbol {
  enum Column : int { gradient, laplacian, cosine, sine, columns };
};

}  // namespace landau
