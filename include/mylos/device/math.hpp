// SPDX-License-Identifier: MIT
// Mathematics under one name on both sides: mylos::device::sqrt is std::sqrt in host code and CUDA's in kernel text,
// where there is no <cmath>. What the standard does not have, or leaves open, is defined here.
//
// The functions of the standard are its own, for float and double (integers are computed in double): see below.
// T is float or double unless something else is said. The results of the host and of a card differ in the last digits.
#pragma once

#include <mylos/device/platform.hpp>

#if !MYLOS_IN_KERNEL_TEXT
#  include <cmath>
#  include <cstring>
#endif

namespace mylos::device {

#if MYLOS_IN_KERNEL_TEXT
#  define MYLOS_STANDARD  // nothing: CUDA's are global
#else
#  define MYLOS_STANDARD std
#endif
using MYLOS_STANDARD::abs;
using MYLOS_STANDARD::acos;
using MYLOS_STANDARD::acosh;
using MYLOS_STANDARD::asin;
using MYLOS_STANDARD::asinh;
using MYLOS_STANDARD::atan;
using MYLOS_STANDARD::atan2;
using MYLOS_STANDARD::atanh;
using MYLOS_STANDARD::cbrt;
using MYLOS_STANDARD::ceil;
using MYLOS_STANDARD::copysign;
using MYLOS_STANDARD::cos;
using MYLOS_STANDARD::cosh;
using MYLOS_STANDARD::erf;
using MYLOS_STANDARD::erfc;
using MYLOS_STANDARD::exp;
using MYLOS_STANDARD::exp2;
using MYLOS_STANDARD::expm1;
using MYLOS_STANDARD::fabs;
using MYLOS_STANDARD::floor;
using MYLOS_STANDARD::fma;
using MYLOS_STANDARD::fmax;
using MYLOS_STANDARD::fmin;
using MYLOS_STANDARD::fmod;
using MYLOS_STANDARD::hypot;
using MYLOS_STANDARD::ldexp;
using MYLOS_STANDARD::lgamma;
using MYLOS_STANDARD::log;
using MYLOS_STANDARD::log10;
using MYLOS_STANDARD::log1p;
using MYLOS_STANDARD::log2;
using MYLOS_STANDARD::nextafter;
using MYLOS_STANDARD::pow;
using MYLOS_STANDARD::remainder;
using MYLOS_STANDARD::rint;
using MYLOS_STANDARD::round;
using MYLOS_STANDARD::sin;
using MYLOS_STANDARD::sinh;
using MYLOS_STANDARD::sqrt;
using MYLOS_STANDARD::tan;
using MYLOS_STANDARD::tanh;
using MYLOS_STANDARD::tgamma;
using MYLOS_STANDARD::trunc;
#undef MYLOS_STANDARD

// NVRTC has no <numbers>.
// NOLINTBEGIN(modernize-use-std-numbers)
template <class T>
inline constexpr T pi_v = static_cast<T>(3.14159265358979323846264338327950288);
template <class T>
inline constexpr T two_pi_v = static_cast<T>(6.28318530717958647692528676655900577);
template <class T>
inline constexpr T e_v = static_cast<T>(2.71828182845904523536028747135266250);
template <class T>
inline constexpr T ln2_v = static_cast<T>(0.693147180559945309417232121458176568);
template <class T>
inline constexpr T ln10_v = static_cast<T>(2.30258509299404568401799145468436421);
template <class T>
inline constexpr T sqrt2_v = static_cast<T>(1.41421356237309504880168872420969808);
// NOLINTEND(modernize-use-std-numbers)
template <class T>
inline constexpr T infinity_v = static_cast<T>(__builtin_bit_cast(double, 0x7ff0000000000000LL));
inline constexpr double pi = pi_v<double>;
inline constexpr double two_pi = two_pi_v<double>;

namespace detail {

template <bool condition>
struct When {};
template <>
struct When<true> {
  using type = int;
};
/// As the last parameter of a template, `when<condition> = 0`: the template exists only if the condition holds.
template <bool condition>
using when = typename When<condition>::type;

template <class T>
inline constexpr bool is_integer = static_cast<T>(0.5) == T(0);
/// Whether values of type U are converted to T without losing a fraction.
template <class T, class U>
inline constexpr bool holds = !is_integer<T> || is_integer<U>;
template <class T>
inline constexpr bool is_signed = static_cast<T>(-1) < T(0);

// The bits of a number, and of an infinity: they decide also where a compiler was told that all numbers are finite.
MYLOS_FUNCTION inline unsigned long long bits(double x) {
  unsigned long long result = 0;
  memcpy(&result, &x, sizeof(x));
  return result;
}
MYLOS_FUNCTION inline unsigned bits(float x) {
  unsigned result = 0;
  memcpy(&result, &x, sizeof(x));
  return result;
}
MYLOS_FUNCTION constexpr unsigned long long infinite_bits(double) { return 0x7ff0000000000000ULL; }
MYLOS_FUNCTION constexpr unsigned infinite_bits(float) { return 0x7f800000U; }
template <class T>
MYLOS_FUNCTION auto magnitude_bits(T x) {
  return static_cast<decltype(bits(x))>(bits(x) << 1U) >> 1U;
}

// The sine of pi x or, a quarter of a period later, its cosine: the argument is reduced before it is multiplied.
MYLOS_FUNCTION inline double sine_of_half_turns(double x, bool cosine) {
  const double in_period = x - 2.0 * rint(0.5 * x);  // in [-1, 1]
  const double a = fabs(in_period);
  double value = 0;
  if (cosine) {
    value = a > 0.75 ? -cos(pi * (1.0 - a)) : a > 0.25 ? sin(pi * (0.5 - a)) : cos(pi * a);
  } else {
    value = a > 0.75 ? sin(pi * (1.0 - a)) : a > 0.25 ? cos(pi * (0.5 - a)) : sin(pi * a);
    value = copysign(value, in_period);
  }
  return value;
}

}  // namespace detail

/// Also where the compiler assumes that there is none (-ffast-math).
template <class T>
MYLOS_FUNCTION bool is_nan(T x) {
  return detail::magnitude_bits(x) > detail::infinite_bits(x);
}

/// Neither NaN nor infinite; also where the compiler assumes it.
template <class T>
MYLOS_FUNCTION bool is_finite(T x) {
  return detail::magnitude_bits(x) < detail::infinite_bits(x);
}

/// The smaller one; NaN if one of them is NaN, so that a fault stays visible (fmin and fmax give the number). Of 0.0
/// and -0.0 the first. Integers are of one type, or the second one is converted. (CUDA has a ::min that gives the
/// number: in text with `using namespace mylos::device`, min of two doubles is ambiguous, and needs its whole name.)
MYLOS_FUNCTION constexpr double min(double a, double b) { return b < a || b != b ? b : a; }
MYLOS_FUNCTION constexpr float min(float a, float b) { return b < a || b != b ? b : a; }
template <class T, detail::when<detail::is_integer<T>> = 0>
MYLOS_FUNCTION constexpr T min(T a, detail::exactly<T> b) {
  return b < a ? b : a;
}

/// The larger one; as min.
MYLOS_FUNCTION constexpr double max(double a, double b) { return a < b || b != b ? b : a; }
MYLOS_FUNCTION constexpr float max(float a, float b) { return a < b || b != b ? b : a; }
template <class T, detail::when<detail::is_integer<T>> = 0>
MYLOS_FUNCTION constexpr T max(T a, detail::exactly<T> b) {
  return a < b ? b : a;
}

/// x, or the bound that it is beyond; lowest <= highest. NaN stays NaN. Integers as well.
template <class T, class A, class B>
MYLOS_FUNCTION constexpr T clamp(T x, A lowest, B highest) {
  static_assert(detail::holds<T, A> && detail::holds<T, B>, "an integer has whole bounds");
  const T least = static_cast<T>(lowest), most = static_cast<T>(highest);
  return x < least ? least : most < x ? most : x;
}

template <class T>
MYLOS_FUNCTION constexpr T square(T x) {
  return x * x;
}
template <class T>
MYLOS_FUNCTION constexpr T cube(T x) {
  return x * x * x;
}

/// -1, 1, or x itself where it is zero or NaN. Integers as well.
template <class T>
MYLOS_FUNCTION constexpr T sign(T x) {
  return x < T(0) ? T(-1) : T(0) < x ? T(1) : x;
}

/// 1 / sqrt(x), to 2 units in the last place.
template <class T>
MYLOS_FUNCTION T rsqrt(T x) {
#if MYLOS_IN_KERNEL_TEXT || defined(__CUDA_ARCH__)
  return ::rsqrt(x);
#else
  return T(1) / sqrt(x);
#endif
}

/// *sine = sin(x), *cosine = cos(x), for about the price of one.
template <class T>
MYLOS_FUNCTION void sincos(T x, T* sine, T* cosine) {
#if MYLOS_IN_KERNEL_TEXT || defined(__CUDA_ARCH__)
  ::sincos(x, sine, cosine);
#else
  *sine = sin(x);
  *cosine = cos(x);
#endif
}

/// sin(pi x), without the error of pi x: exactly 0, 1 or -1 at multiples of 1/2, and as exact for large x as for small.
template <class T>
MYLOS_FUNCTION T sinpi(T x) {
#if defined(__CUDA_ARCH__) && !defined(MYLOS_EMULATOR)
  return ::sinpi(x);
#else
  return static_cast<T>(detail::sine_of_half_turns(x, false));
#endif
}

/// cos(pi x); as sinpi.
template <class T>
MYLOS_FUNCTION T cospi(T x) {
#if defined(__CUDA_ARCH__) && !defined(MYLOS_EMULATOR)
  return ::cospi(x);
#else
  return static_cast<T>(detail::sine_of_half_turns(x, true));
#endif
}

/// Integers: the largest q with q b <= a (of b < 0: q b >= a), where a / b rounds towards zero. b is not 0, and the
/// quotient exists (not the smallest integer by -1). Types may differ in width, not in sign.
template <class A, class B>
MYLOS_FUNCTION constexpr auto floor_div(A a, B b) {
  using T = decltype(a + b);
  static_assert(detail::is_integer<A> && detail::is_integer<B>, "for floating-point numbers: floor(a / b)");
  static_assert(detail::is_signed<A> == detail::is_signed<B>, "signed and unsigned integers have no common quotient");
  const T quotient = static_cast<T>(a) / static_cast<T>(b);
  if constexpr (detail::is_signed<T>) {
    const T rest = static_cast<T>(a) % static_cast<T>(b);
    if (rest != 0 && (rest < 0) != (b < 0)) return quotient - 1;
  }
  return quotient;
}

/// a - b floor_div(a, b): from 0 to b - 1 (of b < 0: from b + 1 to 0), where a % b has the sign of a.
template <class A, class B>
MYLOS_FUNCTION constexpr auto floor_mod(A a, B b) {
  using T = decltype(a + b);
  static_assert(detail::is_integer<A> && detail::is_integer<B>, "for floating-point numbers: wrap(a, b)");
  static_assert(detail::is_signed<A> == detail::is_signed<B>, "signed and unsigned integers have no common remainder");
  const T rest = static_cast<T>(a) % static_cast<T>(b);
  if constexpr (detail::is_signed<T>) {
    if (rest != 0 && (rest < 0) != (b < 0)) return static_cast<T>(rest + static_cast<T>(b));
  }
  return rest;
}

/// Where x is in a periodic box: x plus the multiple of `length` that brings it into [0, box), which it never leaves
/// by rounding (a tiny negative x becomes 0). Correctly rounded for every x, cheap for -box <= x < 2 box; NaN and
/// infinities give NaN. box > 0. Integers: floor_mod.
template <class T, class L>
MYLOS_FUNCTION T wrap(T x, L box) {
  static_assert(detail::holds<T, L>, "an integer has a box of whole length");
  if constexpr (detail::is_integer<T>) {
    return static_cast<T>(floor_mod(x, box));
  } else {
    const T length = static_cast<T>(box);
    if (x > T(0) && x < length) return x;
    // Exact in each case: the quotient is 1, or fmod.
    T rest = x;
    if (x >= length && x < 2 * length) {
      rest = x - length;
    } else if (!(x < T(0) && x >= -length)) {
      rest = fmod(x, length);
    }
    if (rest < T(0)) rest += length;
    return rest == length || rest == T(0) ? T(0) : rest;  // also for -0.0
  }
}

}  // namespace mylos::device
