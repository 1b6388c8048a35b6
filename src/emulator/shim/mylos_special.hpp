// SPDX-License-Identifier: MIT
// Error functions, their inverses, and modified Bessel functions: what the C library lacks. To a few units in the last
// place, as CUDA's own.
#pragma once

constexpr double mylos_erf_slope = 1.12837916709551257390;  // 2 / sqrt(pi), at 0

// exp(x^2) erfc(x). What rounding took of x^2 is put back, because the exponential multiplies it.
MYLOS_APART double erfcx(double x) {
  if (x < 25.0) {
    const double square = x * x;
    if (square > 745.0) return __builtin_inf();
    const double lost = __builtin_fma(x, x, -square);
    return __builtin_exp(square) * (1.0 + lost) * __builtin_erfc(x);
  }
  const double t = 0.5 / (x * x);  // the asymptotic series: its terms fall until far behind the last one needed
  double sum = 1.0, term = 1.0;
  for (int k = 1; k < 8; ++k) {
    term *= -(2 * k - 1) * t;
    sum += term;
  }
  return 0.5 * mylos_erf_slope / x * sum;
}

// Winitzki's formula for the inverse of erf, to three digits. w = log(1 - erf^2).
MYLOS_INLINE double mylos_erfinv_start(double w) {
  const double t = 4.330746750799873 + 0.5 * w;
  return __builtin_sqrt(__builtin_sqrt(t * t - w * 6.802721088435374) - t);
}
// Halley's method, which triples the number of right digits. `miss`: how much the function is too large at z.
MYLOS_INLINE double mylos_erfinv_step(double z, double miss) {
  const double step = miss / (mylos_erf_slope * __builtin_exp(-z * z));
  return z - step / (1.0 + z * step);
}
// The z with erf(z) = y, |y| <= 1/2.
MYLOS_APART double mylos_erfinv_centre(double y) {
  double z = __builtin_fabs(y) < 1e-3 ? y / mylos_erf_slope
                                      : __builtin_copysign(mylos_erfinv_start(__builtin_log1p(-y * y)), y);
  for (int i = 0; i < 3; ++i) z = mylos_erfinv_step(z, __builtin_erf(z) - y);
  return z;
}
// The z with erfc(z) = x, 0 < x <= 1/2. Far out in the tail z^2 = log(erfcx(z)) - log(x) is iterated instead, whose
// right side hardly depends on z.
MYLOS_APART double mylos_erfinv_tail(double x) {
  if (x < 1e-8) {
    const double l = __builtin_log(x);
    double z = __builtin_sqrt(-l);
    for (int i = 0; i < 12; ++i) z = __builtin_sqrt(__builtin_log(erfcx(z)) - l);
    return z;
  }
  double z = mylos_erfinv_start(__builtin_log(x * (2.0 - x)));
  for (int i = 0; i < 3; ++i) z = mylos_erfinv_step(z, x - __builtin_erfc(z));
  return z;
}
MYLOS_APART double erfinv(double y) {
  const double size = __builtin_fabs(y);
  if (!(size <= 1.0)) return __builtin_nan("");
  if (size == 1.0) return __builtin_copysign(__builtin_inf(), y);
  return size <= 0.5 ? mylos_erfinv_centre(y) : __builtin_copysign(mylos_erfinv_tail(1.0 - size), y);
}
MYLOS_APART double erfcinv(double x) {
  if (!(x >= 0.0 && x <= 2.0)) return __builtin_nan("");
  if (x == 0.0 || x == 2.0) return x == 0.0 ? __builtin_inf() : -__builtin_inf();
  if (x >= 0.5 && x <= 1.5) return mylos_erfinv_centre(1.0 - x);
  return x < 1.0 ? mylos_erfinv_tail(x) : -mylos_erfinv_tail(2.0 - x);
}

// Half of erfc(-x / sqrt(2)). The argument's rounding error is put back by the function's slope: far out it would be
// multiplied a thousand times.
MYLOS_APART double normcdf(double x) {
  constexpr double root = 0.70710678118654752440, rest = -4.8336466567264567e-17;  // of 1/2, and what it lacks
  const double z = -x * root;
  const double value = 0.5 * __builtin_erfc(z);
  if (!(__builtin_fabs(x) < 40.0)) return value;
  const double lost = __builtin_fma(-x, root, -z) - x * rest;
  return value - 0.5 * mylos_erf_slope * __builtin_exp(-z * z) * lost;
}
MYLOS_INLINE double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2.0 * p); }

// Modified Bessel functions of order 0 and 1 and |x|: a series of positive terms, or far out the asymptotic one.
template <int order>
MYLOS_APART double mylos_bessel_i(double x) {
  if (x < 20.0) {
    const double t = 0.25 * x * x;
    double term = order == 0 ? 1.0 : 0.5 * x, sum = term;
    for (int k = 1; term > 1e-17 * sum; ++k) {
      term *= t / (k * (k + order));
      sum += term;
    }
    return sum;
  }
  if (x == __builtin_inf()) return x;
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 40 && __builtin_fabs(term) > 1e-17; ++k) {
    term *= ((2 * k - 1) * (2 * k - 1) - 4 * order) / (8.0 * k * x);
    sum += term;
  }
  const double growth = __builtin_exp(0.5 * x);  // twice: exp(x) overflows before the function does
  return growth / __builtin_sqrt(2.0 * mylos_pi * x) * sum * growth;
}
MYLOS_INLINE double cyl_bessel_i0(double x) { return mylos_bessel_i<0>(__builtin_fabs(x)); }
MYLOS_INLINE double cyl_bessel_i1(double x) { return __builtin_copysign(mylos_bessel_i<1>(__builtin_fabs(x)), x); }

MYLOS_FLOAT_OF(erfcx)
MYLOS_FLOAT_OF(erfinv)
MYLOS_FLOAT_OF(erfcinv)
MYLOS_FLOAT_OF(normcdf)
MYLOS_FLOAT_OF(normcdfinv)
MYLOS_FLOAT_OF(cyl_bessel_i0)
MYLOS_FLOAT_OF(cyl_bessel_i1)
#undef MYLOS_FLOAT_OF
