// SPDX-License-Identifier: MIT
// Included once for each type of two bytes. MYLOS_SMALL is the type, MYLOS_SMALL_FORMAT says what its bits mean,
// MYLOS_SMALL_WORD is what the names of conversions call it; the type of a pair is MYLOS_SMALL with a 2.

#define MYLOS_JOIN_NOW(a, b, c) a##b##c
#define MYLOS_JOIN(a, b, c) MYLOS_JOIN_NOW(a, b, c)
#define MYLOS_PAIR MYLOS_JOIN(MYLOS_SMALL, 2, )
#define MYLOS_RAW MYLOS_JOIN(MYLOS_SMALL, _raw, )
#define MYLOS_PAIR_RAW MYLOS_JOIN(MYLOS_SMALL, 2_raw, )
#define MYLOS_TO(from, suffix) MYLOS_JOIN(__##from##2, MYLOS_SMALL_WORD, suffix)  // __float2half_rn
#define MYLOS_FROM(suffix) MYLOS_JOIN(__, MYLOS_SMALL_WORD, suffix)               // __half2float
#define MYLOS_SMALL_BITS(x) mylos_bits<unsigned short>(x)

struct __attribute__((aligned(2))) MYLOS_RAW {
  unsigned short x;
};
struct __attribute__((aligned(4))) MYLOS_PAIR_RAW {
  unsigned short x, y;
};

struct MYLOS_SMALL;
template <> struct mylos_format<MYLOS_SMALL> : MYLOS_SMALL_FORMAT {};
template <> struct mylos_is_floating<MYLOS_SMALL> { static constexpr bool value = true; };

struct __attribute__((aligned(2))) MYLOS_SMALL {
  MYLOS_SMALL() = default;
  MYLOS_MEMBER constexpr MYLOS_SMALL(const MYLOS_RAW& raw) : __x(raw.x) {}
  MYLOS_MEMBER MYLOS_SMALL(float x) : __x(static_cast<unsigned short>(MYLOS_SMALL_FORMAT::bits(x))) {}
  MYLOS_MEMBER MYLOS_SMALL(double x);
  MYLOS_MEMBER MYLOS_SMALL(short x) : MYLOS_SMALL(static_cast<float>(x)) {}
  MYLOS_MEMBER MYLOS_SMALL(unsigned short x) : MYLOS_SMALL(static_cast<float>(x)) {}
  MYLOS_MEMBER MYLOS_SMALL(int x) : MYLOS_SMALL(static_cast<double>(x)) {}
  MYLOS_MEMBER MYLOS_SMALL(unsigned x) : MYLOS_SMALL(static_cast<double>(x)) {}
  MYLOS_MEMBER MYLOS_SMALL(long x) : MYLOS_SMALL(static_cast<long long>(x)) {}
  MYLOS_MEMBER MYLOS_SMALL(unsigned long x) : MYLOS_SMALL(static_cast<unsigned long long>(x)) {}
  MYLOS_MEMBER MYLOS_SMALL(long long x);
  MYLOS_MEMBER MYLOS_SMALL(unsigned long long x);
  MYLOS_MEMBER operator MYLOS_RAW() const { return {__x}; }
  MYLOS_MEMBER operator float() const { return MYLOS_SMALL_FORMAT::value(__x); }
  MYLOS_MEMBER constexpr operator bool() const { return (__x & 0x7fffu) != 0u; }
#define MYLOS_CONVERSION(I) \
  MYLOS_MEMBER operator I() const { return mylos_saturate<I>(__builtin_truncf(static_cast<float>(*this))); }
  MYLOS_CONVERSION(char) MYLOS_CONVERSION(signed char) MYLOS_CONVERSION(unsigned char) MYLOS_CONVERSION(short)
  MYLOS_CONVERSION(unsigned short) MYLOS_CONVERSION(int) MYLOS_CONVERSION(unsigned) MYLOS_CONVERSION(long)
  MYLOS_CONVERSION(unsigned long) MYLOS_CONVERSION(long long) MYLOS_CONVERSION(unsigned long long)
#undef MYLOS_CONVERSION

 protected:
  unsigned short __x;
};

struct __attribute__((aligned(4))) MYLOS_PAIR {
  MYLOS_SMALL x, y;
  MYLOS_PAIR() = default;
  MYLOS_MEMBER constexpr MYLOS_PAIR(const MYLOS_SMALL& a, const MYLOS_SMALL& b) : x(a), y(b) {}
  MYLOS_MEMBER MYLOS_PAIR(const MYLOS_PAIR_RAW& raw) : x(MYLOS_RAW{raw.x}), y(MYLOS_RAW{raw.y}) {}
  MYLOS_MEMBER operator MYLOS_PAIR_RAW() const { return {MYLOS_SMALL_BITS(x), MYLOS_SMALL_BITS(y)}; }
};
template <> struct mylos_is_floating<MYLOS_PAIR> { static constexpr bool value = true; };

template <class F>
MYLOS_INLINE MYLOS_PAIR mylos_each(MYLOS_PAIR a, F f) { return {f(a.x), f(a.y)}; }
template <class F>
MYLOS_INLINE MYLOS_PAIR mylos_each(MYLOS_PAIR a, MYLOS_PAIR b, F f) { return {f(a.x, b.x), f(a.y, b.y)}; }
template <class F>
MYLOS_INLINE MYLOS_PAIR mylos_each(MYLOS_PAIR a, MYLOS_PAIR b, MYLOS_PAIR c, F f) {
  return {f(a.x, b.x, c.x), f(a.y, b.y, c.y)};
}

// Conversions. To integers: out of range gives the nearest, and NaN 0, or of 64 bits the highest bit.
MYLOS_INLINE float MYLOS_FROM(2float)(const MYLOS_SMALL x) { return x; }
MYLOS_INLINE MYLOS_SMALL MYLOS_TO(float, )(const float x) { return x; }
MYLOS_INLINE MYLOS_SMALL MYLOS_TO(float, _rn)(const float x) { return x; }
MYLOS_INLINE MYLOS_SMALL MYLOS_TO(double, )(const double x) { return x; }
MYLOS_INLINE signed char MYLOS_FROM(2char_rz)(const MYLOS_SMALL x) { return static_cast<signed char>(x); }
MYLOS_INLINE unsigned char MYLOS_FROM(2uchar_rz)(const MYLOS_SMALL x) { return static_cast<unsigned char>(x); }
#define MYLOS_INTEGER_WAY(word, I, suffix, way, whole)                                                            \
  MYLOS_IF_USED I MYLOS_FROM(2##word##suffix)(const MYLOS_SMALL x) { return mylos_saturate<I>(whole(static_cast<float>(x))); } \
  MYLOS_IF_USED MYLOS_SMALL MYLOS_TO(word, suffix)(const I x) {                                                    \
    return mylos_from_integer<MYLOS_SMALL>(x, mylos_rounding::way);                                               \
  }
#define MYLOS_WAY(suffix, way, whole)                                          \
  MYLOS_INTEGER_WAY(short, short, suffix, way, whole)                          \
  MYLOS_INTEGER_WAY(ushort, unsigned short, suffix, way, whole)                \
  MYLOS_INTEGER_WAY(int, int, suffix, way, whole)                              \
  MYLOS_INTEGER_WAY(uint, unsigned, suffix, way, whole)                        \
  MYLOS_INTEGER_WAY(ll, long long, suffix, way, whole)                         \
  MYLOS_INTEGER_WAY(ull, unsigned long long, suffix, way, whole)
MYLOS_WAY(_rn, nearest, __builtin_rintf)
MYLOS_WAY(_rz, zero, __builtin_truncf)
MYLOS_WAY(_ru, up, __builtin_ceilf)
MYLOS_WAY(_rd, down, __builtin_floorf)
#undef MYLOS_WAY
#undef MYLOS_INTEGER_WAY
#define MYLOS_WAY(suffix, way) \
  MYLOS_INLINE MYLOS_SMALL MYLOS_TO(float, suffix)(const float x) { return mylos_narrow<MYLOS_SMALL>(x, mylos_rounding::way); }
MYLOS_WAY(_rz, zero) MYLOS_WAY(_ru, up) MYLOS_WAY(_rd, down)
#undef MYLOS_WAY
inline MYLOS_SMALL::MYLOS_SMALL(double x) : MYLOS_SMALL(mylos_narrow<MYLOS_SMALL>(x, mylos_rounding::nearest)) {}
inline MYLOS_SMALL::MYLOS_SMALL(long long x)
    : MYLOS_SMALL(mylos_from_integer<MYLOS_SMALL>(x, mylos_rounding::nearest)) {}
inline MYLOS_SMALL::MYLOS_SMALL(unsigned long long x)
    : MYLOS_SMALL(mylos_from_integer<MYLOS_SMALL>(x, mylos_rounding::nearest)) {}

MYLOS_INLINE short MYLOS_FROM(_as_short)(const MYLOS_SMALL x) { return mylos_bits<short>(x); }
MYLOS_INLINE unsigned short MYLOS_FROM(_as_ushort)(const MYLOS_SMALL x) { return MYLOS_SMALL_BITS(x); }
MYLOS_INLINE MYLOS_SMALL MYLOS_JOIN(__short_as_, MYLOS_SMALL_WORD, )(const short x) { return mylos_bits<MYLOS_SMALL>(x); }
MYLOS_INLINE MYLOS_SMALL MYLOS_JOIN(__ushort_as_, MYLOS_SMALL_WORD, )(const unsigned short x) {
  return mylos_bits<MYLOS_SMALL>(x);
}

// Pairs: made, taken apart, turned round. x is the low one.
MYLOS_INLINE MYLOS_PAIR MYLOS_JOIN(make_, MYLOS_SMALL_WORD, 2)(const MYLOS_SMALL x, const MYLOS_SMALL y) { return {x, y}; }
MYLOS_INLINE MYLOS_PAIR MYLOS_JOIN(__halves2, MYLOS_SMALL_WORD, 2)(const MYLOS_SMALL x, const MYLOS_SMALL y) { return {x, y}; }
MYLOS_INLINE MYLOS_PAIR MYLOS_JOIN(MYLOS_FROM(2), MYLOS_SMALL_WORD, 2)(const MYLOS_SMALL x) { return {x, x}; }
MYLOS_INLINE MYLOS_PAIR MYLOS_TO(float, 2_rn)(const float x) { return {x, x}; }
MYLOS_INLINE MYLOS_PAIR MYLOS_TO(floats, 2_rn)(const float x, const float y) { return {x, y}; }
MYLOS_INLINE MYLOS_PAIR MYLOS_JOIN(__float22, MYLOS_SMALL_WORD, 2_rn)(const float2 a) { return {a.x, a.y}; }
MYLOS_INLINE float2 MYLOS_FROM(22float2)(const MYLOS_PAIR a) { return {a.x, a.y}; }
MYLOS_INLINE float __low2float(const MYLOS_PAIR a) { return a.x; }
MYLOS_INLINE float __high2float(const MYLOS_PAIR a) { return a.y; }
MYLOS_INLINE MYLOS_SMALL MYLOS_TO(low, )(const MYLOS_PAIR a) { return a.x; }
MYLOS_INLINE MYLOS_SMALL MYLOS_TO(high, )(const MYLOS_PAIR a) { return a.y; }
MYLOS_INLINE MYLOS_PAIR MYLOS_TO(low, 2)(const MYLOS_PAIR a) { return {a.x, a.x}; }
MYLOS_INLINE MYLOS_PAIR MYLOS_TO(high, 2)(const MYLOS_PAIR a) { return {a.y, a.y}; }
MYLOS_INLINE MYLOS_PAIR MYLOS_TO(lows, 2)(const MYLOS_PAIR a, const MYLOS_PAIR b) { return {a.x, b.x}; }
MYLOS_INLINE MYLOS_PAIR MYLOS_TO(highs, 2)(const MYLOS_PAIR a, const MYLOS_PAIR b) { return {a.y, b.y}; }
MYLOS_INLINE MYLOS_PAIR __lowhigh2highlow(const MYLOS_PAIR a) { return {a.y, a.x}; }

MYLOS_INLINE bool __hisnan(const MYLOS_SMALL a) { return (MYLOS_SMALL_BITS(a) & 0x7fffu) > MYLOS_SMALL_FORMAT::infinity; }
MYLOS_INLINE int __hisinf(const MYLOS_SMALL a) {
  if ((MYLOS_SMALL_BITS(a) & 0x7fffu) != MYLOS_SMALL_FORMAT::infinity) return 0;
  return MYLOS_SMALL_BITS(a) > 0x7fffu ? -1 : 1;
}
MYLOS_INLINE MYLOS_PAIR __hisnan2(const MYLOS_PAIR a) {
  return mylos_each(a, [](MYLOS_SMALL x) { return MYLOS_SMALL(__hisnan(x) ? 1.0f : 0.0f); });
}

// f(a, b) and f2, of pairs.
#define MYLOS_TWO(name, name2, expression)                                                               \
  MYLOS_INLINE MYLOS_SMALL name(const MYLOS_SMALL a, const MYLOS_SMALL b) { return expression; }         \
  MYLOS_IF_USED MYLOS_PAIR name2(const MYLOS_PAIR a, const MYLOS_PAIR b) {                                \
    return mylos_each(a, b, [](MYLOS_SMALL x, MYLOS_SMALL y) { return name(x, y); });                    \
  }
#define MYLOS_ONE(name, name2, expression)                                                               \
  MYLOS_INLINE MYLOS_SMALL name(const MYLOS_SMALL a) { return expression; }                              \
  MYLOS_IF_USED MYLOS_PAIR name2(const MYLOS_PAIR a) {                                                    \
    return mylos_each(a, [](MYLOS_SMALL x) { return name(x); });                                         \
  }
#define MYLOS_VALUE(x) static_cast<float>(x)

// _sat: cut off at 0 and 1, NaN gives 0. _relu: not below 0.
#define MYLOS_ARITHMETIC(name, op)                                                                       \
  MYLOS_TWO(__h##name, __h##name##2, MYLOS_VALUE(a) op MYLOS_VALUE(b))                                   \
  MYLOS_TWO(__h##name##_rn, __h##name##2_rn, MYLOS_VALUE(a) op MYLOS_VALUE(b))                           \
  MYLOS_TWO(__h##name##_sat, __h##name##2_sat, __saturatef(MYLOS_VALUE(a) op MYLOS_VALUE(b)))
MYLOS_ARITHMETIC(add, +)
MYLOS_ARITHMETIC(sub, -)
MYLOS_ARITHMETIC(mul, *)
MYLOS_TWO(__hdiv, __h2div, MYLOS_VALUE(a) / MYLOS_VALUE(b))
MYLOS_ONE(__hneg, __hneg2, mylos_two_bytes<MYLOS_SMALL>(MYLOS_SMALL_BITS(a) ^ 0x8000u))
MYLOS_ONE(__habs, __habs2, mylos_two_bytes<MYLOS_SMALL>(MYLOS_SMALL_BITS(a) & 0x7fffu))
#undef MYLOS_ARITHMETIC

MYLOS_INLINE MYLOS_SMALL __hfma(const MYLOS_SMALL a, const MYLOS_SMALL b, const MYLOS_SMALL c) {
  return mylos_multiply_add<MYLOS_SMALL>(MYLOS_VALUE(a), MYLOS_VALUE(b), MYLOS_VALUE(c), mylos_rounding::nearest);
}
MYLOS_INLINE MYLOS_SMALL __hfma_sat(const MYLOS_SMALL a, const MYLOS_SMALL b, const MYLOS_SMALL c) {
  return __saturatef(MYLOS_VALUE(__hfma(a, b, c)));
}
MYLOS_INLINE MYLOS_SMALL __hfma_relu(const MYLOS_SMALL a, const MYLOS_SMALL b, const MYLOS_SMALL c) {
  const MYLOS_SMALL x = __hfma(a, b, c);
  return MYLOS_VALUE(x) < 0.0f ? MYLOS_SMALL(0.0f) : x;
}
#define MYLOS_FUSED(name2, name)                                                                                        \
  MYLOS_IF_USED MYLOS_PAIR name2(const MYLOS_PAIR a, const MYLOS_PAIR b, const MYLOS_PAIR c) {                           \
    return mylos_each(a, b, c, [](MYLOS_SMALL x, MYLOS_SMALL y, MYLOS_SMALL z) { return name(x, y, z); });              \
  }
MYLOS_FUSED(__hfma2, __hfma)
MYLOS_FUSED(__hfma2_sat, __hfma_sat)
MYLOS_FUSED(__hfma2_relu, __hfma_relu)
#undef MYLOS_FUSED
// a b + c of complex numbers.
MYLOS_INLINE MYLOS_PAIR __hcmadd(const MYLOS_PAIR a, const MYLOS_PAIR b, const MYLOS_PAIR c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

// Of a number and NaN the number, but with _nan NaN; of the two zeros the positive one is the larger one.
MYLOS_INLINE MYLOS_SMALL mylos_extreme(MYLOS_SMALL a, MYLOS_SMALL b, bool larger) {
  if (__hisnan(a)) return __hisnan(b) ? mylos_two_bytes<MYLOS_SMALL>(0x7fffu) : b;
  if (__hisnan(b)) return a;
  if (MYLOS_VALUE(a) != MYLOS_VALUE(b)) return (MYLOS_VALUE(a) > MYLOS_VALUE(b)) == larger ? a : b;
  return (MYLOS_SMALL_BITS(a) > 0x7fffu) == larger ? b : a;
}
MYLOS_TWO(__hmax, __hmax2, mylos_extreme(a, b, true))
MYLOS_TWO(__hmin, __hmin2, mylos_extreme(a, b, false))
#define MYLOS_NAN_OR(value) (__hisnan(a) || __hisnan(b) ? mylos_two_bytes<MYLOS_SMALL>(0x7fffu) : value)
MYLOS_TWO(__hmax_nan, __hmax2_nan, MYLOS_NAN_OR(mylos_extreme(a, b, true)))
MYLOS_TWO(__hmin_nan, __hmin2_nan, MYLOS_NAN_OR(mylos_extreme(a, b, false)))
#undef MYLOS_NAN_OR

// Comparisons: false with a NaN, or with a `u` at their end true. Of pairs: 1 or 0, both (__hbeq2), or as masks.
#define MYLOS_COMPARE(name, holds)                                                                                     \
  MYLOS_INLINE bool __h##name(const MYLOS_SMALL a, const MYLOS_SMALL b) { return holds; }                              \
  MYLOS_IF_USED MYLOS_PAIR MYLOS_JOIN(__h, name, 2)(const MYLOS_PAIR a, const MYLOS_PAIR b) {                           \
    return mylos_each(a, b, [](MYLOS_SMALL x, MYLOS_SMALL y) { return MYLOS_SMALL(__h##name(x, y) ? 1.0f : 0.0f); });  \
  }                                                                                                                    \
  MYLOS_INLINE bool MYLOS_JOIN(__hb, name, 2)(const MYLOS_PAIR a, const MYLOS_PAIR b) {                                \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                                 \
  }                                                                                                                    \
  MYLOS_INLINE unsigned MYLOS_JOIN(__h, name, 2_mask)(const MYLOS_PAIR a, const MYLOS_PAIR b) {                        \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                            \
  }
#define MYLOS_COMPARISON(name, op)                                                                    \
  MYLOS_COMPARE(name, !__hisnan(a) && !__hisnan(b) && MYLOS_VALUE(a) op MYLOS_VALUE(b))               \
  MYLOS_COMPARE(name##u, __hisnan(a) || __hisnan(b) || MYLOS_VALUE(a) op MYLOS_VALUE(b))
MYLOS_COMPARISON(eq, ==)
MYLOS_COMPARISON(ne, !=)
MYLOS_COMPARISON(lt, <)
MYLOS_COMPARISON(le, <=)
MYLOS_COMPARISON(gt, >)
MYLOS_COMPARISON(ge, >=)
#undef MYLOS_COMPARISON
#undef MYLOS_COMPARE

// Functions: those of float, rounded. A device's are a little less exact.
#define MYLOS_FUNCTION_OF(name, expression) MYLOS_ONE(h##name, h2##name, expression)
MYLOS_FUNCTION_OF(sqrt, __builtin_sqrtf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(rsqrt, rsqrt(static_cast<double>(MYLOS_VALUE(a))))
MYLOS_FUNCTION_OF(rcp, 1.0f / MYLOS_VALUE(a))
MYLOS_FUNCTION_OF(exp, __builtin_expf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(exp2, __builtin_exp2f(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(exp10, exp10f(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(log, __builtin_logf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(log2, __builtin_log2f(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(log10, __builtin_log10f(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(sin, __builtin_sinf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(cos, __builtin_cosf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(tanh, __builtin_tanhf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(tanh_approx, __builtin_tanhf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(ceil, __builtin_ceilf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(floor, __builtin_floorf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(trunc, __builtin_truncf(MYLOS_VALUE(a)))
MYLOS_FUNCTION_OF(rint, __builtin_rintf(MYLOS_VALUE(a)))
#undef MYLOS_FUNCTION_OF
#undef MYLOS_VALUE
#undef MYLOS_TWO
#undef MYLOS_ONE

static_assert(sizeof(MYLOS_SMALL) == 2 && sizeof(MYLOS_PAIR) == 4, "as on the device");

#define MYLOS_OPERATORS(T, equal, not_equal, greater, less, not_less, not_greater, add, sub, mul, div, negative)   \
  MYLOS_INLINE T operator+(const T& a, const T& b) { return add(a, b); }                                           \
  MYLOS_INLINE T operator-(const T& a, const T& b) { return sub(a, b); }                                           \
  MYLOS_INLINE T operator*(const T& a, const T& b) { return mul(a, b); }                                           \
  MYLOS_INLINE T operator/(const T& a, const T& b) { return div(a, b); }                                           \
  MYLOS_INLINE T& operator+=(T& a, const T& b) { return a = add(a, b); }                                           \
  MYLOS_INLINE T& operator-=(T& a, const T& b) { return a = sub(a, b); }                                           \
  MYLOS_INLINE T& operator*=(T& a, const T& b) { return a = mul(a, b); }                                           \
  MYLOS_INLINE T& operator/=(T& a, const T& b) { return a = div(a, b); }                                           \
  MYLOS_INLINE T operator+(const T& a) { return a; }                                                               \
  MYLOS_INLINE T operator-(const T& a) { return negative(a); }                                                     \
  MYLOS_INLINE T& operator++(T& a) { return a = add(a, mylos_one_of(a)); }                                         \
  MYLOS_INLINE T& operator--(T& a) { return a = sub(a, mylos_one_of(a)); }                                         \
  MYLOS_INLINE T operator++(T& a, int) { const T old = a; ++a; return old; }                                       \
  MYLOS_INLINE T operator--(T& a, int) { const T old = a; --a; return old; }                                       \
  MYLOS_INLINE bool operator==(const T& a, const T& b) { return equal(a, b); }                                     \
  MYLOS_INLINE bool operator!=(const T& a, const T& b) { return not_equal(a, b); }                                 \
  MYLOS_INLINE bool operator>(const T& a, const T& b) { return greater(a, b); }                                    \
  MYLOS_INLINE bool operator<(const T& a, const T& b) { return less(a, b); }                                       \
  MYLOS_INLINE bool operator>=(const T& a, const T& b) { return not_less(a, b); }                                  \
  MYLOS_INLINE bool operator<=(const T& a, const T& b) { return not_greater(a, b); }
MYLOS_INLINE MYLOS_SMALL mylos_one_of(MYLOS_SMALL) { return 1.0f; }
MYLOS_INLINE MYLOS_PAIR mylos_one_of(MYLOS_PAIR) { return {1.0f, 1.0f}; }
MYLOS_OPERATORS(MYLOS_SMALL, __heq, __hneu, __hgt, __hlt, __hge, __hle, __hadd, __hsub, __hmul, __hdiv, __hneg)
MYLOS_OPERATORS(MYLOS_PAIR, __hbeq2, __hbneu2, __hbgt2, __hblt2, __hbge2, __hble2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
#undef MYLOS_OPERATORS

// Of a pair each half is added in one step, as in CUDA, and here even both.
MYLOS_INLINE MYLOS_SMALL atomicAdd(MYLOS_SMALL* const address, const MYLOS_SMALL value) {
  return mylos_atomic(address, [value](MYLOS_SMALL old) { return __hadd(old, value); });
}
MYLOS_INLINE MYLOS_PAIR atomicAdd(MYLOS_PAIR* const address, const MYLOS_PAIR value) {
  return mylos_atomic(address, [value](MYLOS_PAIR old) { return __hadd2(old, value); });
}

#undef MYLOS_SMALL_BITS
#undef MYLOS_FROM
#undef MYLOS_TO
#undef MYLOS_PAIR_RAW
#undef MYLOS_RAW
#undef MYLOS_PAIR
#undef MYLOS_JOIN
#undef MYLOS_JOIN_NOW
