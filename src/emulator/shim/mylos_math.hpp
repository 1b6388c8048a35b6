// SPDX-License-Identifier: MIT
// CUDA's mathematical functions in double and float: the C library's, without its headers, whose own names (__expf,
// the overloads of <cmath>) clash with CUDA's.
#pragma once

// f(double), ff(float), the overload f(float), and f of integers, which computes in double.
#define MYLOS_UNARY(name)                                                         \
  extern "C" double name(double) noexcept;                                        \
  extern "C" float name##f(float) noexcept;                                       \
  MYLOS_INLINE float name(float x) { return __builtin_##name##f(x); }                \
  template <class I, class = typename mylos_integral<I>::type>                 \
  MYLOS_INLINE double name(I x) {                                                 \
    return __builtin_##name(static_cast<double>(x));                              \
  }
#define MYLOS_BINARY(name)                                                                                     \
  extern "C" double name(double, double) noexcept;                                                             \
  extern "C" float name##f(float, float) noexcept;                                                             \
  MYLOS_INLINE float name(float x, float y) { return __builtin_##name##f(x, y); }                                 \
  template <class A, class B, class = typename mylos_arithmetic<A>::type,                                   \
            class = typename mylos_arithmetic<B>::type>                                                     \
  MYLOS_INLINE double name(A x, B y) {                                                                         \
    return __builtin_##name(static_cast<double>(x), static_cast<double>(y));                                   \
  }
MYLOS_UNARY(sqrt) MYLOS_UNARY(cbrt) MYLOS_UNARY(sin) MYLOS_UNARY(cos) MYLOS_UNARY(tan) MYLOS_UNARY(asin)
MYLOS_UNARY(acos) MYLOS_UNARY(atan) MYLOS_UNARY(sinh) MYLOS_UNARY(cosh) MYLOS_UNARY(tanh) MYLOS_UNARY(asinh)
MYLOS_UNARY(acosh) MYLOS_UNARY(atanh) MYLOS_UNARY(exp) MYLOS_UNARY(exp2) MYLOS_UNARY(expm1) MYLOS_UNARY(log)
MYLOS_UNARY(log2) MYLOS_UNARY(log10) MYLOS_UNARY(log1p) MYLOS_UNARY(erf) MYLOS_UNARY(erfc) MYLOS_UNARY(tgamma)
MYLOS_UNARY(lgamma) MYLOS_UNARY(ceil) MYLOS_UNARY(floor) MYLOS_UNARY(trunc) MYLOS_UNARY(round) MYLOS_UNARY(rint)
MYLOS_UNARY(nearbyint) MYLOS_UNARY(fabs) MYLOS_UNARY(logb)
MYLOS_BINARY(pow) MYLOS_BINARY(atan2) MYLOS_BINARY(fmod) MYLOS_BINARY(hypot) MYLOS_BINARY(copysign) MYLOS_BINARY(fmax)
MYLOS_BINARY(fmin) MYLOS_BINARY(fdim) MYLOS_BINARY(remainder) MYLOS_BINARY(nextafter)
#undef MYLOS_UNARY
#undef MYLOS_BINARY

extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
double frexp(double, int*) noexcept;
float frexpf(float, int*) noexcept;
double modf(double, double*) noexcept;
float modff(float, float*) noexcept;
double scalbln(double, long) noexcept;
float scalblnf(float, long) noexcept;
double remquo(double, double, int*) noexcept;
float remquof(float, float, int*) noexcept;
int ilogb(double) noexcept;
int ilogbf(float) noexcept;
long lround(double) noexcept;
long lroundf(float) noexcept;
long long llround(double) noexcept;
long long llroundf(float) noexcept;
long lrint(double) noexcept;
long lrintf(float) noexcept;
long long llrint(double) noexcept;
long long llrintf(float) noexcept;
double j0(double) noexcept;
double j1(double) noexcept;
double jn(int, double) noexcept;
double y0(double) noexcept;
double y1(double) noexcept;
double yn(int, double) noexcept;
float j0f(float) noexcept;
float j1f(float) noexcept;
float jnf(int, float) noexcept;
float y0f(float) noexcept;
float y1f(float) noexcept;
float ynf(int, float) noexcept;
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
}

MYLOS_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
MYLOS_INLINE float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
MYLOS_INLINE float scalbn(float x, int n) { return __builtin_scalbnf(x, n); }
MYLOS_INLINE float scalbln(float x, long n) { return __builtin_scalblnf(x, n); }
MYLOS_INLINE float remquo(float x, float y, int* quotient) { return __builtin_remquof(x, y, quotient); }
MYLOS_INLINE float frexp(float x, int* n) { return __builtin_frexpf(x, n); }
MYLOS_INLINE float modf(float x, float* whole) { return __builtin_modff(x, whole); }
MYLOS_INLINE int ilogb(float x) { return __builtin_ilogbf(x); }
MYLOS_INLINE long lround(float x) { return __builtin_lroundf(x); }
MYLOS_INLINE long long llround(float x) { return __builtin_llroundf(x); }
MYLOS_INLINE long lrint(float x) { return __builtin_lrintf(x); }
MYLOS_INLINE long long llrint(float x) { return __builtin_llrintf(x); }
MYLOS_INLINE long abs(long x) { return x < 0 ? -x : x; }
MYLOS_INLINE long long abs(long long x) { return x < 0 ? -x : x; }
MYLOS_INLINE float abs(float x) { return __builtin_fabsf(x); }
MYLOS_INLINE double abs(double x) { return __builtin_fabs(x); }

#define MYLOS_CLASSIFY(f)                                          \
  MYLOS_INLINE bool f(double x) { return __builtin_##f(x) != 0; }  \
  MYLOS_INLINE bool f(float x) { return __builtin_##f(x) != 0; }   \
  template <class I, class = typename mylos_integral<I>::type>     \
  MYLOS_INLINE bool f(I x) {                                       \
    return f(static_cast<double>(x));                              \
  }
MYLOS_CLASSIFY(isnan) MYLOS_CLASSIFY(isinf) MYLOS_CLASSIFY(isfinite) MYLOS_CLASSIFY(signbit)
#undef MYLOS_CLASSIFY
MYLOS_INLINE double nan(const char*) { return __builtin_nan(""); }
MYLOS_INLINE float nanf(const char*) { return __builtin_nanf(""); }

// What CUDA has and C lacks: f(double), ff(float) and the overload f(float). Where C's float function would be no
// better, it is the double one, rounded.
#define MYLOS_FLOAT_OF(name)                                                                   \
  MYLOS_INLINE float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); } \
  MYLOS_INLINE float name(float x) { return name##f(x); }
MYLOS_INLINE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
MYLOS_INLINE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
MYLOS_INLINE float rsqrt(float x) { return rsqrtf(x); }
MYLOS_INLINE double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }
MYLOS_FLOAT_OF(rcbrt)
MYLOS_INLINE double exp10(double x) { return __builtin_pow(10.0, x); }
MYLOS_INLINE float exp10f(float x) { return __builtin_powf(10.0f, x); }
MYLOS_INLINE float exp10(float x) { return exp10f(x); }
MYLOS_INLINE double fdivide(double x, double y) { return x / y; }
MYLOS_INLINE float fdividef(float x, float y) { return x / y; }
MYLOS_INLINE double saturate(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }
MYLOS_INLINE double norm3d(double x, double y, double z) { return __builtin_hypot(__builtin_hypot(x, y), z); }
MYLOS_INLINE double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
MYLOS_INLINE double norm4d(double x, double y, double z, double w) { return __builtin_hypot(norm3d(x, y, z), w); }
MYLOS_INLINE double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
MYLOS_INLINE double rhypot(double x, double y) { return 1.0 / __builtin_hypot(x, y); }
MYLOS_INLINE float rhypotf(float x, float y) { return static_cast<float>(rhypot(x, y)); }
#define MYLOS_FLOAT_NORMS(name)                                                                                       \
  MYLOS_INLINE float name##3df(float x, float y, float z) { return static_cast<float>(name##3d(x, y, z)); }           \
  MYLOS_INLINE float name##4df(float x, float y, float z, float w) { return static_cast<float>(name##4d(x, y, z, w)); }
MYLOS_FLOAT_NORMS(norm)
MYLOS_FLOAT_NORMS(rnorm)
#undef MYLOS_FLOAT_NORMS
// Of a vector: hypot of all, which neither overflows nor vanishes on the way.
template <class T>
MYLOS_INLINE double mylos_norm(int size, const T* values) {
  double length = 0.0;
  for (int i = 0; i < size; ++i) length = __builtin_hypot(length, static_cast<double>(values[i]));
  return length;
}
MYLOS_INLINE double norm(int size, const double* values) { return mylos_norm(size, values); }
MYLOS_INLINE double rnorm(int size, const double* values) { return 1.0 / mylos_norm(size, values); }
MYLOS_INLINE float normf(int size, const float* values) { return static_cast<float>(mylos_norm(size, values)); }
MYLOS_INLINE float rnormf(int size, const float* values) { return static_cast<float>(1.0 / mylos_norm(size, values)); }
MYLOS_INLINE void sincos(double x, double* s, double* c) { *s = __builtin_sin(x); *c = __builtin_cos(x); }
MYLOS_INLINE void sincosf(float x, float* s, float* c) { *s = __builtin_sinf(x); *c = __builtin_cosf(x); }
MYLOS_INLINE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
MYLOS_INLINE float j0(float x) { return j0f(x); }
MYLOS_INLINE float j1(float x) { return j1f(x); }
MYLOS_INLINE float jn(int n, float x) { return jnf(n, x); }
MYLOS_INLINE float y0(float x) { return y0f(x); }
MYLOS_INLINE float y1(float x) { return y1f(x); }
MYLOS_INLINE float yn(int n, float x) { return ynf(n, x); }

// sin and cos of pi x, exact at multiples of 1/2: the argument is reduced before it is multiplied.
constexpr double mylos_pi = 3.14159265358979323846;
MYLOS_INLINE double cospi(double x) {
  const double r = __builtin_fabs(x - 2.0 * __builtin_rint(0.5 * x));  // in [0, 1]
  if (r > 0.75) return -__builtin_cos(mylos_pi * (1.0 - r));
  if (r > 0.25) return __builtin_sin(mylos_pi * (0.5 - r));
  return __builtin_cos(mylos_pi * r);
}
MYLOS_INLINE double sinpi(double x) {
  const double r = x - 2.0 * __builtin_rint(0.5 * x);  // in [-1, 1]
  const double a = __builtin_fabs(r);
  const double s = a > 0.75 ? __builtin_sin(mylos_pi * (1.0 - a))
                            : (a > 0.25 ? __builtin_cos(mylos_pi * (0.5 - a)) : __builtin_sin(mylos_pi * a));
  return __builtin_copysign(s, r);
}
MYLOS_FLOAT_OF(cospi)
MYLOS_FLOAT_OF(sinpi)
MYLOS_INLINE void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
MYLOS_INLINE void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
MYLOS_INLINE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }

// min and max take any mix of arithmetic types, the built-in indices included; of floats and NaN they give the number.
template <class T> struct mylos_is_floating { static constexpr bool value = static_cast<T>(0.5) != T(0); };
template <class A, class B>
MYLOS_INLINE constexpr auto min(A a, B b) -> decltype(+a + +b) {
  using T = decltype(+a + +b);
  const T x = static_cast<T>(+a), y = static_cast<T>(+b);
  if constexpr (mylos_is_floating<T>::value) return y != y || x < y ? x : y;
  return y < x ? y : x;
}
template <class A, class B>
MYLOS_INLINE constexpr auto max(A a, B b) -> decltype(+a + +b) {
  using T = decltype(+a + +b);
  const T x = static_cast<T>(+a), y = static_cast<T>(+b);
  if constexpr (mylos_is_floating<T>::value) return y != y || x > y ? x : y;
  return x < y ? y : x;
}
MYLOS_INLINE unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
MYLOS_INLINE unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
MYLOS_INLINE long long llmin(long long a, long long b) { return a < b ? a : b; }
MYLOS_INLINE long long llmax(long long a, long long b) { return a < b ? b : a; }
MYLOS_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
MYLOS_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

// Fast intrinsics: here they are the accurate functions.
MYLOS_INLINE float __sinf(float x) { return __builtin_sinf(x); }
MYLOS_INLINE float __cosf(float x) { return __builtin_cosf(x); }
MYLOS_INLINE float __tanf(float x) { return __builtin_tanf(x); }
MYLOS_INLINE float __tanhf(float x) { return __builtin_tanhf(x); }
MYLOS_INLINE float __expf(float x) { return __builtin_expf(x); }
MYLOS_INLINE float __exp10f(float x) { return exp10f(x); }
MYLOS_INLINE float __logf(float x) { return __builtin_logf(x); }
MYLOS_INLINE float __log2f(float x) { return __builtin_log2f(x); }
MYLOS_INLINE float __log10f(float x) { return __builtin_log10f(x); }
MYLOS_INLINE float __powf(float x, float y) { return __builtin_powf(x, y); }
MYLOS_INLINE float __fdividef(float x, float y) { return x / y; }
MYLOS_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
MYLOS_INLINE void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }

// One rounding each. Kernels are compiled without contraction, unless -fmad=true was asked for: then what uses the result
// must not be fused with it.
template <class T>
MYLOS_INLINE T mylos_rounded(T value) {
#ifdef MYLOS_CONTRACTION
  __asm__("" : "+m"(value));
#endif
  return value;
}
#define MYLOS_ROUNDED(T, p, fma_name, builtin_fma, builtin_sqrt)                              \
  MYLOS_INLINE T __##p##add_rn(T x, T y) { return mylos_rounded(x + y); }                     \
  MYLOS_INLINE T __##p##sub_rn(T x, T y) { return mylos_rounded(x - y); }                     \
  MYLOS_INLINE T __##p##mul_rn(T x, T y) { return mylos_rounded(x * y); }                     \
  MYLOS_INLINE T __##p##div_rn(T x, T y) { return mylos_rounded(x / y); }                     \
  MYLOS_INLINE T __##p##rcp_rn(T x) { return mylos_rounded(T(1) / x); }                       \
  MYLOS_INLINE T __##p##sqrt_rn(T x) { return mylos_rounded(builtin_sqrt(x)); }               \
  MYLOS_INLINE T fma_name(T x, T y, T z) { return builtin_fma(x, y, z); }
MYLOS_ROUNDED(double, d, __fma_rn, __builtin_fma, __builtin_sqrt)
MYLOS_ROUNDED(float, f, __fmaf_rn, __builtin_fmaf, __builtin_sqrtf)
#undef MYLOS_ROUNDED
MYLOS_INLINE float __fmaf_ieee_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
MYLOS_INLINE float __frsqrt_rn(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }

namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::sin; using ::cos; using ::tan; using ::asin;
using ::acos; using ::atan; using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh;
using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p; using ::erf;
using ::erfc; using ::tgamma; using ::lgamma; using ::ceil; using ::floor; using ::trunc; using ::round; using ::rint;
using ::nearbyint; using ::logb; using ::pow; using ::atan2; using ::fmod; using ::hypot; using ::copysign;
using ::fmax; using ::fmin; using ::fdim; using ::remainder; using ::nextafter; using ::fma; using ::ldexp;
using ::scalbn; using ::frexp; using ::modf; using ::ilogb; using ::lround; using ::llround; using ::lrint;
using ::llrint; using ::scalbln; using ::remquo; using ::nan; using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
}  // namespace std

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define CUDART_INF __builtin_inf()
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN __builtin_nan("")
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI 3.14159265358979323846
#define CUDART_PI_F 3.141592654f
