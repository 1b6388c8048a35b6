// SPDX-License-Identifier: MIT
// A quiet start (Birdsall and Langdon): marker i's coordinates are a function of i alone, spread as evenly as numbers
// can be, and so the same on any number of threads and on any device.
#pragma once

#include <mylos/device/integers.hpp>
#include <mylos/device/platform.hpp>

#if !MYLOS_IN_KERNEL_TEXT
#  include <cmath>
#endif

namespace landau {

inline constexpr double two_pi = 6.283185307179586476925286766559;

MYLOS_FUNCTION inline double fraction(double x) {
  const double part = x - ::floor(x);
  return part < 1.0 ? part : 0.0;  // a tiny negative x is rounded to 1
}

/// The digits of i in a base, mirrored at the point: van der Corput's sequence, in [0, 1).
MYLOS_FUNCTION inline double radical_inverse(std::int64_t i, int base) {
  const double step = 1.0 / base;
  double place = step;
  double sum = 0.0;
  for (; i > 0; i /= base) {
    sum += place * static_cast<double>(i % base);
    place *= step;
  }
  return sum;
}

namespace detail {

template <int n>
MYLOS_FUNCTION double polynomial(const double (&coefficients)[n], double x) {
  double sum = coefficients[0];
  for (int i = 1; i < n; ++i) sum = sum * x + coefficients[i];
  return sum;
}

// Acklam's rational approximations of the normal quantile, relative error 1.2e-9: for the lower tail, with
// q = sqrt(-2 log p), and for the middle, with q = p - 1/2.
MYLOS_FUNCTION inline double quantile_in_tail(double q) {
  const double numerator[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                              -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  const double denominator[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                                3.754408661907416e+00, 1.0};
  return polynomial(numerator, q) / polynomial(denominator, q);
}

MYLOS_FUNCTION inline double quantile_in_middle(double q) {
  const double numerator[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                              1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  const double denominator[] = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                                6.680131188771972e+01,  -1.328068155288572e+01, 1.0};
  return q * polynomial(numerator, q * q) / polynomial(denominator, q * q);
}

}  // namespace detail

/// The v below which a share p of a normal distribution lies, 0 < p < 1: Acklam's approximation and one step of
/// Halley's method, to a few rounding errors.
MYLOS_FUNCTION inline double normal_quantile(double p) {
  const double tail = 0.02425;
  double v = 0.0;
  if (p < tail) {
    v = detail::quantile_in_tail(::sqrt(-2.0 * ::log(p)));
  } else if (p > 1.0 - tail) {
    v = -detail::quantile_in_tail(::sqrt(-2.0 * ::log(1.0 - p)));
  } else {
    v = detail::quantile_in_middle(p - 0.5);
  }
  const double error = 0.5 * ::erfc(-v / ::sqrt(2.0)) - p;
  const double step = error * ::sqrt(two_pi) * ::exp(0.5 * v * v);
  return v - step / (1.0 + 0.5 * v * step);
}

/// A velocity from a coordinate of the sequence; the ends, where the quantile is infinite, are cut off.
MYLOS_FUNCTION inline double normal_velocity(double u) {
  const double edge = 1e-12;
  return normal_quantile(u < edge ? edge : (u > 1.0 - edge ? 1.0 - edge : u));
}

/// The place X in [0, 1) of the box with X + epsilon sin(2 pi X) / (2 pi) = u: markers of equal weight then have the
/// density 1 + epsilon cos(2 pi X). Newton's method; |epsilon| < 1.
MYLOS_FUNCTION inline double perturbed_place(double u, double epsilon) {
  double place = u;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const double phase = two_pi * place;
    const double step = (place + epsilon / two_pi * ::sin(phase) - u) / (1.0 + epsilon * ::cos(phase));
    place -= step;
    if (::fabs(step) < 1e-16) break;
  }
  return fraction(place);
}

}  // namespace landau
