// SPDX-License-Identifier: MIT
// What the runs are measured against: linear waves of a plasma, of the continuous equations and of the scheme itself.
//
// Units of the whole example: plasma frequency, thermal speed, Debye length and electron mass are 1; an electron's
// charge is -1; the ions are a fixed uniform background. A Maxwellian is exp(-v^2 / 2) / sqrt(2 pi).
#pragma once

#include <complex>
#include <vector>

namespace landau {

/// How the field solve differentiates: with the symbols of finite differences, or exactly.
enum class FieldOperator { finite_difference, spectral };

/// Fried and Conte's Z(z) = i sqrt(pi) w(z), w the Faddeeva function; all of the complex plane, to about 1e-14 of |Z|
/// in the upper half and near the real axis.
[[nodiscard]] std::complex<double> plasma_dispersion(std::complex<double> z);

/// What the grid and the time step make of the linear response: 1 + coupling * (response - shift).
/// Linear (cloud-in-cell) shape for deposit and gather, leapfrog to second order in dt, no aliasing
/// (Birdsall and Langdon, Plasma Physics via Computer Simulation, chapters 8 and 9).
struct Scheme {
  double coupling = 1.0;  ///< S^2 k kappa / K^2; 1 for the continuous equations
  double shift = 0.0;     ///< dt^2 / 12; 0 for the continuous equations

  [[nodiscard]] static Scheme of_grid(double k, double cell_size, double dt, FieldOperator field_operator);
};

/// A wave that goes as exp(rate t) cos(frequency t - phase): E(x, t) = -(epsilon / k) amplitude ... sin(k x) for a
/// density 1 + epsilon cos(k x) at the start, once the faster damped roots have died away.
struct Wave {
  double frequency = 0.0;
  double rate = 0.0;  ///< negative: damped
  double amplitude = 0.0;
  double phase = 0.0;
};

/// The least damped root of the dispersion relation of a Maxwellian (Landau 1946), by Newton's method.
/// Needs 0.2 <= k <= 1; throws mylos::ValueError elsewhere.
[[nodiscard]] Wave landau_wave(double k, const Scheme& scheme = {});

/// Times in (after, before) at which the field energy of `wave` has its maxima, ascending.
[[nodiscard]] std::vector<double> energy_maxima(const Wave& wave, double after, double before);

/// Growth rate of two cold beams at +-beam_velocity, each with half of the density; 0 where they are stable.
[[nodiscard]] double two_stream_growth(double k, double beam_velocity);

/// Frequency at which the scheme lets a cold plasma oscillate; 1 for the continuous equations.
[[nodiscard]] double cold_frequency(const Scheme& scheme, double dt);

}  // namespace landau
