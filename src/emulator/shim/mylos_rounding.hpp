// SPDX-License-Identifier: MIT
// Sums, products, quotients, roots and conversions, exact and then rounded once, in any direction and to any format:
// what names with _rz, _ru and _rd promise. Computed with integers, so that the processor's rounding mode, which the
// compiler may not know of, stays as it is.
#pragma once

// Not worth to be copied to each of its uses.
#define MYLOS_APART __attribute__((noinline)) static

enum class mylos_rounding { nearest, zero, up, down };

// digits * 2^exponent. The last bit of `digits` also stands for all that is smaller than it: if it is set, there may be
// more. That rounds rightly as long as two bits more are there than the result has.
struct mylos_exact {
  bool negative;
  int exponent;
  unsigned __int128 digits;
};

// Bits of the significand, and what the last one of the smallest number stands for: 2^lowest.
template <class T> struct mylos_format;
template <> struct mylos_format<double> { static constexpr int digits = 53, lowest = -1074; };
template <> struct mylos_format<float> { static constexpr int digits = 24, lowest = -149; };

template <class T>
MYLOS_INLINE bool mylos_is_finite(T x) {
  return x - x == T(0);
}

// Of a finite number.
MYLOS_INLINE mylos_exact mylos_exactly(double x) {
  const unsigned long long bits = mylos_bits<unsigned long long>(x);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const unsigned long long fraction = bits & 0xfffffffffffffull;
  return {bits >> 63 != 0, field == 0 ? -1074 : field - 1075, field == 0 ? fraction : fraction | 1ull << 52};
}
template <class I>
MYLOS_INLINE mylos_exact mylos_exactly_integer(I x) {
  const unsigned long long value = static_cast<unsigned long long>(x);
  return {x < I(0), 0, x < I(0) ? -value : value};
}

MYLOS_INLINE int mylos_width(unsigned __int128 x) {
  const unsigned long long high = static_cast<unsigned long long>(x >> 64);
  const unsigned long long low = static_cast<unsigned long long>(x);
  if (high != 0) return 128 - __builtin_clzll(high);
  return low != 0 ? 64 - __builtin_clzll(low) : 0;
}
MYLOS_INLINE unsigned __int128 mylos_shift_right(unsigned __int128 x, int bits) {
  if (bits == 0) return x;
  if (bits > 127) return x != 0 ? 1 : 0;
  return x >> bits | (x << (128 - bits) != 0 ? 1 : 0);
}

template <class T>
MYLOS_APART T mylos_round(mylos_exact x, mylos_rounding way) {
  using Bits = typename mylos_unsigned<sizeof(T)>::type;
  constexpr int digits = mylos_format<T>::digits, lowest = mylos_format<T>::lowest, bits = 8 * sizeof(T);
  constexpr unsigned long long infinity = ((1ull << (bits - digits)) - 1) << (digits - 1);
  unsigned long long magnitude = 0;
  if (x.digits != 0) {
    const int top = x.exponent + mylos_width(x.digits);
    const int last = top - digits > lowest ? top - digits : lowest;  // what the last bit of the result stands for
    const int excess = last - 2 - x.exponent;
    const unsigned __int128 shifted = excess > 0 ? mylos_shift_right(x.digits, excess) : x.digits << -excess;
    const unsigned long long kept = static_cast<unsigned long long>(shifted >> 2);
    const unsigned rest = static_cast<unsigned>(shifted) & 3u;  // in quarters of the last bit, or somewhat more
    const bool away = way == mylos_rounding::nearest ? rest > 2 || (rest == 2 && (kept & 1) != 0)
                                                     : rest != 0 && way == (x.negative ? mylos_rounding::down : mylos_rounding::up);
    // The leading bit of a normal number adds the 1 that its exponent's field lacks here.
    magnitude = (static_cast<unsigned long long>(last - lowest) << (digits - 1)) + kept + (away ? 1 : 0);
    if (magnitude >= infinity) {
      const bool to_infinity = way == mylos_rounding::nearest || way == (x.negative ? mylos_rounding::down : mylos_rounding::up);
      magnitude = to_infinity ? infinity : infinity - 1;
    }
  }
  return mylos_bits<T>(static_cast<Bits>(magnitude | static_cast<unsigned long long>(x.negative) << (bits - 1)));
}

// Significands of at most 124 bits. Bits are lost only where one is much the smaller one, and then nothing cancels.
MYLOS_APART mylos_exact mylos_exact_sum(mylos_exact a, mylos_exact b, mylos_rounding way) {
  const bool zero_is_negative = way == mylos_rounding::down;
  if (a.digits == 0 && b.digits == 0) return {a.negative == b.negative ? a.negative : zero_is_negative, 0, 0};
  if (a.digits == 0) return b;
  if (b.digits == 0) return a;
  if (a.exponent + mylos_width(a.digits) < b.exponent + mylos_width(b.digits)) {
    const mylos_exact c = a;
    a = b;
    b = c;
  }
  const int shift = 124 - mylos_width(a.digits);
  a.digits <<= shift;
  a.exponent -= shift;
  const int distance = a.exponent - b.exponent;
  b.digits = distance >= 0 ? mylos_shift_right(b.digits, distance) : b.digits << -distance;
  if (a.negative == b.negative) return {a.negative, a.exponent, a.digits + b.digits};
  if (a.digits == b.digits) return {zero_is_negative, 0, 0};
  return a.digits > b.digits ? mylos_exact{a.negative, a.exponent, a.digits - b.digits}
                             : mylos_exact{b.negative, a.exponent, b.digits - a.digits};
}
MYLOS_INLINE mylos_exact mylos_exact_product(mylos_exact a, mylos_exact b) {
  return {a.negative != b.negative, a.exponent + b.exponent, a.digits * b.digits};
}
// Of numbers that are not zero.
MYLOS_APART mylos_exact mylos_exact_quotient(mylos_exact a, mylos_exact b) {
  constexpr int width = 126;
  const int shift = width - mylos_width(a.digits);
  const unsigned __int128 dividend = a.digits << shift, quotient = dividend / b.digits;
  const bool more = quotient * b.digits != dividend;
  return {a.negative != b.negative, a.exponent - shift - b.exponent, quotient | (more ? 1 : 0)};
}
// Of a positive number.
MYLOS_APART mylos_exact mylos_exact_root(mylos_exact a) {
  int shift = 126 - mylos_width(a.digits);
  if (((a.exponent - shift) & 1) != 0) --shift;
  unsigned __int128 rest = a.digits << shift, root = 0;
  for (unsigned __int128 bit = static_cast<unsigned __int128>(1) << 126; bit != 0; bit >>= 2) {
    const bool fits = rest >= root + bit;
    if (fits) rest -= root + bit;
    root = (root >> 1) + (fits ? bit : 0);
  }
  return {false, (a.exponent - shift) / 2, root | (rest != 0 ? 1 : 0)};
}

// What is not finite, and what is divided by zero, is the same in all directions.
template <class T>
MYLOS_INLINE T mylos_add(T x, T y, mylos_rounding way) {
  if (!mylos_is_finite(x) || !mylos_is_finite(y)) return x + y;
  return mylos_round<T>(mylos_exact_sum(mylos_exactly(x), mylos_exactly(y), way), way);
}
template <class T>
MYLOS_INLINE T mylos_multiply(T x, T y, mylos_rounding way) {
  if (!mylos_is_finite(x) || !mylos_is_finite(y)) return x * y;
  return mylos_round<T>(mylos_exact_product(mylos_exactly(x), mylos_exactly(y)), way);
}
template <class T>
MYLOS_INLINE T mylos_divide(T x, T y, mylos_rounding way) {
  if (!mylos_is_finite(x) || !mylos_is_finite(y) || x == T(0) || y == T(0)) return x / y;
  return mylos_round<T>(mylos_exact_quotient(mylos_exactly(x), mylos_exactly(y)), way);
}
template <class T>
MYLOS_INLINE T mylos_root(T x, mylos_rounding way) {
  if (!mylos_is_finite(x) || !(x > T(0))) return static_cast<T>(__builtin_sqrt(static_cast<double>(x)));
  return mylos_round<T>(mylos_exact_root(mylos_exactly(x)), way);
}
// T may be narrower than its arguments' type.
template <class T, class Argument>
MYLOS_INLINE T mylos_multiply_add(Argument x, Argument y, Argument z, mylos_rounding way) {
  if (!mylos_is_finite(x) || !mylos_is_finite(y)) return static_cast<T>(x * y + z);
  if (!mylos_is_finite(z)) return static_cast<T>(z);
  const mylos_exact product = mylos_exact_product(mylos_exactly(x), mylos_exactly(y));
  return mylos_round<T>(mylos_exact_sum(product, mylos_exactly(z), way), way);
}
template <class T>
MYLOS_INLINE T mylos_narrow(double x, mylos_rounding way) {
  return mylos_is_finite(x) ? mylos_round<T>(mylos_exactly(x), way) : static_cast<T>(static_cast<float>(x));
}
template <class T, class I>
MYLOS_INLINE T mylos_from_integer(I x, mylos_rounding way) {
  return mylos_round<T>(mylos_exactly_integer(x), way);
}

#define MYLOS_TYPE_TOWARDS(T, p, fma, suffix, way)                                                                     \
  MYLOS_IF_USED T __##p##add_##suffix(T x, T y) { return mylos_add(x, y, mylos_rounding::way); }                        \
  MYLOS_IF_USED T __##p##sub_##suffix(T x, T y) { return mylos_add(x, -y, mylos_rounding::way); }                       \
  MYLOS_IF_USED T __##p##mul_##suffix(T x, T y) { return mylos_multiply(x, y, mylos_rounding::way); }                   \
  MYLOS_IF_USED T __##p##div_##suffix(T x, T y) { return mylos_divide(x, y, mylos_rounding::way); }                     \
  MYLOS_IF_USED T __##p##rcp_##suffix(T x) { return mylos_divide(T(1), x, mylos_rounding::way); }                       \
  MYLOS_IF_USED T __##p##sqrt_##suffix(T x) { return mylos_root(x, mylos_rounding::way); }                              \
  MYLOS_IF_USED T fma##_##suffix(T x, T y, T z) { return mylos_multiply_add<T>(x, y, z, mylos_rounding::way); }
#define MYLOS_INTEGER_TOWARDS(from, I, to, T, suffix, way) \
  MYLOS_IF_USED T __##from##2##to##_##suffix(I x) { return mylos_from_integer<T>(x, mylos_rounding::way); }
#define MYLOS_TOWARDS(suffix, way)                                                                                 \
  MYLOS_TYPE_TOWARDS(double, d, __fma, suffix, way)                                                                \
  MYLOS_TYPE_TOWARDS(float, f, __fmaf, suffix, way)                                                                \
  MYLOS_IF_USED float __fmaf_ieee_##suffix(float x, float y, float z) { return __fmaf_##suffix(x, y, z); }          \
  MYLOS_IF_USED float __double2float_##suffix(double x) { return mylos_narrow<float>(x, mylos_rounding::way); }     \
  MYLOS_INTEGER_TOWARDS(int, int, float, float, suffix, way)                                                       \
  MYLOS_INTEGER_TOWARDS(uint, unsigned, float, float, suffix, way)                                                 \
  MYLOS_INTEGER_TOWARDS(ll, long long, float, float, suffix, way)                                                  \
  MYLOS_INTEGER_TOWARDS(ull, unsigned long long, float, float, suffix, way)                                        \
  MYLOS_INTEGER_TOWARDS(ll, long long, double, double, suffix, way)                                                \
  MYLOS_INTEGER_TOWARDS(ull, unsigned long long, double, double, suffix, way)
MYLOS_TOWARDS(rz, zero)
MYLOS_TOWARDS(ru, up)
MYLOS_TOWARDS(rd, down)
#undef MYLOS_TOWARDS
#undef MYLOS_INTEGER_TOWARDS
#undef MYLOS_TYPE_TOWARDS
