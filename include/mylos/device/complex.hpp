// SPDX-License-Identifier: MIT
// mylos::complex<T>: complex numbers of float or double, the same in Kokkos functors, host code and kernel text.
//
// Size and alignment are 2 sizeof(T), as of CUDA's float2 and double2: a View of Kokkos::complex<T> fits a kernel
// parameter mylos::complex<T>*, and a value a parameter mylos::complex<T>. (Kokkos::complex has that alignment only if
// Kokkos was built with KOKKOS_ENABLE_COMPLEX_ALIGN: in structs of both sides use this type.)
// `complex<T> z;` is not initialised (so that __shared__ arrays of it exist); complex<T>() and complex<T>{} are 0.
//
// Sums and products are the plain formulas. A product is exact to a few units in the last place of |a| |b|; infinite
// factors may give NaN (C's Annex G, which std::complex follows, costs two comparisons for each product). Quotient,
// abs, sqrt, log and the exponential functions neither overflow nor lose digits to underflow before their result does;
// their error is a few units in the last place of the result's absolute value, of normal numbers. Special values are as
// in Annex G for quotient, sqrt and log; elsewhere an infinite or NaN imaginary part gives NaN.
#pragma once

#include <mylos/device/math.hpp>
#include <mylos/device/platform.hpp>

#if !MYLOS_IN_KERNEL_TEXT
#  include <type_traits>
#endif

namespace mylos::device {

template <class T>
class complex;

namespace detail {

template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;

template <class...>
using void_type = void;
template <class C>
MYLOS_FUNCTION C& instance();

// Another library's complex number of T, told by its members: std::complex, Kokkos::complex, thrust::complex.
template <class C, class T, class = void>
inline constexpr bool has_parts = false;
template <class C, class T>
inline constexpr bool
    has_parts<C, T, void_type<typename C::value_type, decltype(instance<C>().real()), decltype(instance<C>().imag())>> =
        is_same<typename C::value_type, T> && sizeof(C) == 2 * sizeof(T);
template <class C, class T>
inline constexpr bool is_foreign_complex = !is_same<C, complex<T>> && has_parts<C, T>;

// Whether its parts can be assigned to, as those of Kokkos::complex and not those of std::complex.
template <class C, class T, class = void>
inline constexpr bool gives_references = false;
template <class C, class T>
inline constexpr bool gives_references<C, T, void_type<decltype(instance<C>().real())>> =
    is_same<decltype(instance<C>().real()), T&>;

template <class T>
MYLOS_FUNCTION complex<T> quotient(const complex<T>& numerator, const complex<T>& denominator);

}  // namespace detail

template <class T>
class alignas(2 * sizeof(T)) complex {
  static_assert(detail::is_same<T, float> || detail::is_same<T, double>, "complex numbers of float or double");

 public:
  using value_type = T;

  complex() = default;
  MYLOS_FUNCTION constexpr complex(T re, T im = T(0)) : re_(re), im_(im) {}  // NOLINT(google-explicit-constructor)

  /// complex<float> converts to complex<double>; the other way it is asked for.
  template <class U, detail::when<(sizeof(U) < sizeof(T))> = 0>
  MYLOS_FUNCTION constexpr complex(const complex<U>& other)  // NOLINT(google-explicit-constructor)
      : re_(other.real()), im_(other.imag()) {}
  template <class U, detail::when<(sizeof(U) > sizeof(T))> = 0>
  MYLOS_FUNCTION constexpr explicit complex(const complex<U>& other)
      : re_(static_cast<T>(other.real())), im_(static_cast<T>(other.imag())) {}

  /// Other libraries' complex numbers of T convert to this one. This one converts to Kokkos::complex<T>, and to
  /// std::complex<T> when that is asked for: if it did so by itself, an assignment to a Kokkos::complex, which takes
  /// both, would be ambiguous. Operators of both libraries' numbers give this one.
  template <class C, detail::when<detail::is_foreign_complex<C, T>> = 0>
  MYLOS_FUNCTION constexpr complex(const C& other)  // NOLINT(google-explicit-constructor)
      : re_(other.real()), im_(other.imag()) {}
  template <class C, detail::when<detail::is_foreign_complex<C, T> && detail::gives_references<C, T>> = 0>
  MYLOS_FUNCTION constexpr operator C() const {  // NOLINT(google-explicit-constructor)
    return C(re_, im_);
  }
  template <class C, detail::when<detail::is_foreign_complex<C, T> && !detail::gives_references<C, T>> = 0>
  MYLOS_FUNCTION constexpr explicit operator C() const {
    return C(re_, im_);
  }

  MYLOS_FUNCTION constexpr T real() const { return re_; }
  MYLOS_FUNCTION constexpr T imag() const { return im_; }
  MYLOS_FUNCTION constexpr T& real() { return re_; }
  MYLOS_FUNCTION constexpr T& imag() { return im_; }
  MYLOS_FUNCTION constexpr void real(T re) { re_ = re; }
  MYLOS_FUNCTION constexpr void imag(T im) { im_ = im; }

  MYLOS_FUNCTION constexpr complex& operator+=(const complex& b) { return *this = *this + b; }
  MYLOS_FUNCTION constexpr complex& operator-=(const complex& b) { return *this = *this - b; }
  MYLOS_FUNCTION constexpr complex& operator*=(const complex& b) { return *this = *this * b; }
  MYLOS_FUNCTION complex& operator/=(const complex& b) { return *this = *this / b; }
  MYLOS_FUNCTION constexpr complex& operator+=(T b) { return *this = *this + b; }
  MYLOS_FUNCTION constexpr complex& operator-=(T b) { return *this = *this - b; }
  MYLOS_FUNCTION constexpr complex& operator*=(T b) { return *this = *this * b; }
  MYLOS_FUNCTION constexpr complex& operator/=(T b) { return *this = *this / b; }

  MYLOS_FUNCTION friend constexpr complex operator+(const complex& a) { return a; }
  MYLOS_FUNCTION friend constexpr complex operator-(const complex& a) { return {-a.re_, -a.im_}; }

  MYLOS_FUNCTION friend constexpr complex operator+(const complex& a, const complex& b) {
    return {a.re_ + b.re_, a.im_ + b.im_};
  }
  MYLOS_FUNCTION friend constexpr complex operator-(const complex& a, const complex& b) {
    return {a.re_ - b.re_, a.im_ - b.im_};
  }
  MYLOS_FUNCTION friend constexpr complex operator*(const complex& a, const complex& b) {
    return {a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_};
  }
  MYLOS_FUNCTION friend complex operator/(const complex& a, const complex& b) { return detail::quotient(a, b); }

  // A real operand is converted to T, and has no imaginary part (not one of 0, which would touch the other's zeros and
  // infinities).
  MYLOS_FUNCTION friend constexpr complex operator+(const complex& a, T b) { return {a.re_ + b, a.im_}; }
  MYLOS_FUNCTION friend constexpr complex operator-(const complex& a, T b) { return {a.re_ - b, a.im_}; }
  MYLOS_FUNCTION friend constexpr complex operator*(const complex& a, T b) { return {a.re_ * b, a.im_ * b}; }
  MYLOS_FUNCTION friend constexpr complex operator/(const complex& a, T b) { return {a.re_ / b, a.im_ / b}; }
  MYLOS_FUNCTION friend constexpr complex operator+(T a, const complex& b) { return {a + b.re_, b.im_}; }
  MYLOS_FUNCTION friend constexpr complex operator-(T a, const complex& b) { return {a - b.re_, -b.im_}; }
  MYLOS_FUNCTION friend constexpr complex operator*(T a, const complex& b) { return {a * b.re_, a * b.im_}; }
  MYLOS_FUNCTION friend complex operator/(T a, const complex& b) { return detail::quotient(complex(a), b); }

  /// As std::complex: the parts are equal.
  MYLOS_FUNCTION friend constexpr bool operator==(const complex& a, const complex& b) {
    return a.re_ == b.re_ && a.im_ == b.im_;
  }
  MYLOS_FUNCTION friend constexpr bool operator!=(const complex& a, const complex& b) { return !(a == b); }

 private:
  T re_, im_;
};

static_assert(sizeof(complex<float>) == 8 && alignof(complex<float>) == 8, "the layout kernels are called with");
static_assert(sizeof(complex<double>) == 16 && alignof(complex<double>) == 16, "the layout kernels are called with");

namespace detail {

// Numbers whose squares, and sums of these, are normal: from 2^lowest to 2^highest; `shift` brings all others there.
template <class T>
struct ComplexRange;
template <>
struct ComplexRange<double> {
  static constexpr double smallest = 0x1p-480, largest = 0x1p510;
  static constexpr int shift = 600;
  static constexpr double exp_limit = 700;  // e^x and e^-x are normal for |x| up to this
  static constexpr double tanh_limit = 22;  // beyond, tanh is 1 but for e^-2x
};
template <>
struct ComplexRange<float> {
  static constexpr float smallest = 0x1p-50F, largest = 0x1p62F;
  static constexpr int shift = 100;
  static constexpr float exp_limit = 85;
  static constexpr float tanh_limit = 11;
};

template <class T>
MYLOS_FUNCTION T largest_part(const complex<T>& z) {
  return fmax(fabs(z.real()), fabs(z.imag()));
}

/// The exponent e for which 2^e z has its largest part in ComplexRange; 0 for most z, and of no use for 0 and infinity.
template <class T>
MYLOS_FUNCTION int exponent_into_range(const complex<T>& z) {
  using Range = ComplexRange<T>;
  const T part = largest_part(z);
  return part > Range::largest ? -Range::shift : part < Range::smallest ? Range::shift : 0;
}

template <class T>
MYLOS_FUNCTION complex<T> scaled(const complex<T>& z, int exponent) {
  return exponent == 0 ? z : complex<T>(ldexp(z.real(), exponent), ldexp(z.imag(), exponent));
}

// +-1 for an infinite part, +-0 for others: the direction of an infinite number.
template <class T>
MYLOS_FUNCTION complex<T> direction(const complex<T>& z) {
  const auto part = [](T x) { return copysign(fabs(x) == infinity_v<T> ? T(1) : T(0), x); };
  return {part(z.real()), part(z.imag())};
}

// A quotient that came out as NaN: it is infinite or zero where Annex G says so.
template <class T>
MYLOS_FUNCTION complex<T> special_quotient(const complex<T>& a, const complex<T>& b, const complex<T>& otherwise) {
  const bool a_is_infinite = largest_part(a) == infinity_v<T>;
  const bool b_is_infinite = largest_part(b) == infinity_v<T>;
  if (b == complex<T>(0) && !(is_nan(a.real()) && is_nan(a.imag()))) {
    const T sided = copysign(infinity_v<T>, b.real());
    return {sided * a.real(), sided * a.imag()};
  }
  if (a_is_infinite && is_finite(b.real()) && is_finite(b.imag())) {
    const complex<T> product = direction(a) * complex<T>(b.real(), -b.imag());
    return {infinity_v<T> * product.real(), infinity_v<T> * product.imag()};
  }
  if (b_is_infinite && is_finite(a.real()) && is_finite(a.imag())) {
    const complex<T> to = direction(b);
    const complex<T> product = a * complex<T>(to.real(), -to.imag());
    return {T(0) * product.real(), T(0) * product.imag()};
  }
  return otherwise;
}

// Both are brought to where nothing overflows or underflows; the result's exponent is put right in one step.
template <class T>
MYLOS_FUNCTION complex<T> quotient(const complex<T>& numerator, const complex<T>& denominator) {
  const int numerator_exponent = exponent_into_range(numerator);
  const int denominator_exponent = exponent_into_range(denominator);
  const complex<T> a = scaled(numerator, numerator_exponent);
  const complex<T> b = scaled(denominator, denominator_exponent);
  const T square = b.real() * b.real() + b.imag() * b.imag();
  const complex<T> result((a.real() * b.real() + a.imag() * b.imag()) / square,
                          (a.imag() * b.real() - a.real() * b.imag()) / square);
  if (is_nan(result.real()) && is_nan(result.imag())) return special_quotient(numerator, denominator, result);
  return scaled(result, denominator_exponent - numerator_exponent);
}

// log |z|, also where |z| overflows, and without the digits that |z| near 1 would lose.
template <class T>
MYLOS_FUNCTION T log_abs(const complex<T>& z) {
  const T x = fabs(z.real()), y = fabs(z.imag());
  const T larger = fmax(x, y), smaller = fmin(x, y);
  const T norm = larger * larger + smaller * smaller;
  if (norm > T(0.5) && norm < T(3)) {
    return T(0.5) * log1p((larger - T(1)) * (larger + T(1)) + smaller * smaller);
  }
  if (larger > ComplexRange<T>::largest) return log(hypot(T(0.5) * x, T(0.5) * y)) + ln2_v<T>;
  return log(hypot(x, y));
}

// e^x (a + i b), finite where the result is although e^x is not.
template <class T>
MYLOS_FUNCTION complex<T> exp_times(T x, T a, T b) {
  if (fabs(x) < ComplexRange<T>::exp_limit) {
    const T factor = exp(x);
    return {factor * a, factor * b};
  }
  const T root = exp(T(0.5) * x);
  return {root * a * root, root * b * root};
}

// i z and -i z, which turn hyperbolic functions into circular ones.
template <class T>
MYLOS_FUNCTION constexpr complex<T> times_i(const complex<T>& z) {
  return {-z.imag(), z.real()};
}
template <class T>
MYLOS_FUNCTION constexpr complex<T> over_i(const complex<T>& z) {
  return {z.imag(), -z.real()};
}

}  // namespace detail

template <class T>
MYLOS_FUNCTION constexpr T real(const complex<T>& z) {
  return z.real();
}
template <class T>
MYLOS_FUNCTION constexpr T imag(const complex<T>& z) {
  return z.imag();
}
template <class T>
MYLOS_FUNCTION constexpr complex<T> conj(const complex<T>& z) {
  return {z.real(), -z.imag()};
}
/// |z|^2, which overflows and underflows where a square does.
template <class T>
MYLOS_FUNCTION constexpr T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
MYLOS_FUNCTION T abs(const complex<T>& z) {
  return hypot(z.real(), z.imag());
}
/// The angle from the positive real axis, in [-pi, pi].
template <class T>
MYLOS_FUNCTION T arg(const complex<T>& z) {
  return atan2(z.imag(), z.real());
}
/// radius e^(i angle).
template <class T>
MYLOS_FUNCTION complex<T> polar(T radius, detail::exactly<T> angle = T(0)) {
  if (angle == T(0)) return {radius, angle};
  T sine, cosine;
  sincos(T(angle), &sine, &cosine);
  return {radius * cosine, radius * sine};
}

template <class T>
MYLOS_FUNCTION complex<T> exp(const complex<T>& z) {
  if (z.imag() == T(0)) return {exp(z.real()), z.imag()};
  if (z.real() == -infinity_v<T>) return T(0);
  T sine, cosine;
  sincos(z.imag(), &sine, &cosine);
  return detail::exp_times(z.real(), cosine, sine);
}

/// The principal value: the imaginary part is in [-pi, pi], and jumps across the negative real axis.
template <class T>
MYLOS_FUNCTION complex<T> log(const complex<T>& z) {
  return {detail::log_abs(z), arg(z)};
}
template <class T>
MYLOS_FUNCTION complex<T> log10(const complex<T>& z) {
  return log(z) / ln10_v<T>;
}

/// The root with a real part >= 0; below the negative real axis it has a negative imaginary part.
template <class T>
MYLOS_FUNCTION complex<T> sqrt(const complex<T>& z) {
  if (z == complex<T>(T(0))) return {T(0), z.imag()};
  if (fabs(z.imag()) == infinity_v<T>) return {infinity_v<T>, z.imag()};
  if (fabs(z.real()) == infinity_v<T>) {
    const T other = is_nan(z.imag()) ? z.imag() : T(0);
    if (z.real() > T(0)) return {z.real(), copysign(other, z.imag())};
    return {other, copysign(infinity_v<T>, z.imag())};
  }
  const int exponent = detail::exponent_into_range(z);  // an even number
  const complex<T> a = detail::scaled(z, exponent);
  const T larger = sqrt(T(0.5) * (fabs(a.real()) + abs(a)));
  const T smaller = fabs(a.imag()) / (T(2) * larger);
  const complex<T> root = a.real() >= T(0) ? complex<T>(larger, copysign(smaller, a.imag()))
                                           : complex<T>(smaller, copysign(larger, a.imag()));
  return detail::scaled(root, -exponent / 2);
}

template <class T>
MYLOS_FUNCTION complex<T> sinh(const complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (y == T(0)) return {sinh(x), y};
  T sine, cosine;
  sincos(y, &sine, &cosine);
  if (fabs(x) < detail::ComplexRange<T>::exp_limit) return {sinh(x) * cosine, cosh(x) * sine};
  return detail::exp_times(fabs(x), copysign(T(0.5), x) * cosine, T(0.5) * sine);
}

template <class T>
MYLOS_FUNCTION complex<T> cosh(const complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (y == T(0)) return {cosh(x), copysign(T(1), x) * y};
  T sine, cosine;
  sincos(y, &sine, &cosine);
  if (fabs(x) < detail::ComplexRange<T>::exp_limit) return {cosh(x) * cosine, sinh(x) * sine};
  return detail::exp_times(fabs(x), T(0.5) * cosine, copysign(T(0.5), x) * sine);
}

/// By Kahan's formula, which is exact near the poles as well.
template <class T>
MYLOS_FUNCTION complex<T> tanh(const complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (y == T(0)) return {tanh(x), y};
  if (fabs(x) > detail::ComplexRange<T>::tanh_limit) {
    T sine, cosine;
    sincos(y, &sine, &cosine);
    return {copysign(T(1), x), T(4) * sine * cosine * exp(T(-2) * fabs(x))};
  }
  const T t = tan(y), s = sinh(x);
  const T secant_square = T(1) + t * t;
  const T denominator = T(1) + secant_square * s * s;
  return {secant_square * sqrt(T(1) + s * s) * s / denominator, t / denominator};
}

template <class T>
MYLOS_FUNCTION complex<T> sin(const complex<T>& z) {
  return detail::over_i(sinh(detail::times_i(z)));
}
template <class T>
MYLOS_FUNCTION complex<T> cos(const complex<T>& z) {
  return cosh(detail::times_i(z));
}
template <class T>
MYLOS_FUNCTION complex<T> tan(const complex<T>& z) {
  return detail::over_i(tanh(detail::times_i(z)));
}

/// e^(w log z); 0 for z = 0 and w of a positive real part, 1 for z = w = 0, else NaN there. As every power, its error
/// in units in the last place grows with |w log z|.
template <class T>
MYLOS_FUNCTION complex<T> pow(const complex<T>& z, const complex<T>& w) {
  if (z == complex<T>(T(0)) && w.real() > T(0)) return T(0);
  if (z == complex<T>(T(0)) && w == complex<T>(T(0))) return T(1);
  return exp(w * log(z));
}
template <class T>
MYLOS_FUNCTION complex<T> pow(detail::exactly<T> x, const complex<T>& w) {
  return pow(complex<T>(x), w);
}
/// A real power: through |z| and the angle. |z| does not overflow.
template <class T>
MYLOS_FUNCTION complex<T> pow(const complex<T>& z, double power) {
  const T exponent = static_cast<T>(power);
  if (z.imag() == T(0) && z.real() >= T(0)) return pow(z.real(), exponent);
  return polar(pow(abs(z), exponent), exponent * arg(z));
}
template <class T>
MYLOS_FUNCTION complex<T> pow(const complex<T>& z, float power) {
  return pow(z, static_cast<double>(power));
}
/// A whole power, by products: within a few |n| units in the last place, and exact where they are. pow(0, 0) is 1.
template <class T>
MYLOS_FUNCTION complex<T> pow(const complex<T>& z, int n) {
  complex<T> result = T(1);
  complex<T> factor = z;
  for (int rest = n; rest != 0; rest /= 2) {
    if (rest % 2 != 0) result *= factor;
    factor *= factor;
  }
  return n < 0 ? T(1) / result : result;
}

}  // namespace mylos::device

namespace mylos {
using device::complex;
}  // namespace mylos

#if !MYLOS_IN_KERNEL_TEXT
// Kokkos::complex takes as an operand whatever has a common type with its parts: a mylos::complex is no real number,
// and with these its own operators are found.
template <class T>
struct std::common_type<mylos::complex<T>, float> {};
template <class T>
struct std::common_type<mylos::complex<T>, double> {};
template <class T>
struct std::common_type<float, mylos::complex<T>> {};
template <class T>
struct std::common_type<double, mylos::complex<T>> {};
#endif
