// SPDX-License-Identifier: MIT
// Two halfwords or four bytes of an unsigned, computed with one by one: the "video" intrinsics, and dot products.
#pragma once

// f of each pair of lanes, which come as ints; the low bits of what it gives.
template <class Lane, class F>
MYLOS_INLINE unsigned mylos_each_lane(unsigned a, unsigned b, F f) {
  constexpr int bits = 8 * sizeof(Lane);
  constexpr unsigned mask = (1u << bits) - 1u;
  unsigned result = 0;
  for (int at = 0; at < 32; at += bits) {
    const int value = f(static_cast<int>(static_cast<Lane>(a >> at)), static_cast<int>(static_cast<Lane>(b >> at)));
    result |= (static_cast<unsigned>(value) & mask) << at;
  }
  return result;
}
template <class Lane, class F>
MYLOS_INLINE unsigned mylos_sum_of_lanes(unsigned a, unsigned b, F f) {
  unsigned sum = 0;
  mylos_each_lane<Lane>(a, b, [&](int x, int y) { return sum += static_cast<unsigned>(f(x, y)), 0; });
  return sum;
}
template <class Lane>
MYLOS_INLINE int mylos_clamped(int x) {
  constexpr int low = static_cast<Lane>(-1) < Lane(0) ? -(1 << (8 * sizeof(Lane) - 1)) : 0;
  constexpr int high = low + (1 << 8 * sizeof(Lane)) - 1;
  return x < low ? low : (x > high ? high : x);
}
MYLOS_INLINE int mylos_distance(int x, int y) { return x < y ? y - x : x - y; }

#define MYLOS_LANES(name, Lane, expression)                                             \
  MYLOS_IF_USED unsigned name(unsigned a, unsigned b) {                                  \
    return mylos_each_lane<Lane>(a, b, [](int x, int y) -> int { return expression; }); \
  }
#define MYLOS_LANES_1(name, Lane, expression)                                           \
  MYLOS_IF_USED unsigned name(unsigned a) {                                              \
    return mylos_each_lane<Lane>(a, 0u, [](int x, int) -> int { return expression; });  \
  }
#define MYLOS_LANE_SUM(name, Lane, expression)                                             \
  MYLOS_IF_USED unsigned name(unsigned a, unsigned b) {                                     \
    return mylos_sum_of_lanes<Lane>(a, b, [](int x, int y) -> int { return expression; }); \
  }
// What holds is all ones after __vcmp and 1 after __vset.
#define MYLOS_LANES_COMPARED(n, Lane, name, op)    \
  MYLOS_LANES(__vcmp##name##n, Lane, x op y ? -1 : 0) \
  MYLOS_LANES(__vset##name##n, Lane, x op y ? 1 : 0)
#define MYLOS_LANES_ORDERED(n, Lane, letter)     \
  MYLOS_LANES_COMPARED(n, Lane, ge##letter, >=)  \
  MYLOS_LANES_COMPARED(n, Lane, gt##letter, >)   \
  MYLOS_LANES_COMPARED(n, Lane, le##letter, <=)  \
  MYLOS_LANES_COMPARED(n, Lane, lt##letter, <)   \
  MYLOS_LANES(__vmax##letter##n, Lane, x < y ? y : x) \
  MYLOS_LANES(__vmin##letter##n, Lane, y < x ? y : x)
// Sums wrap, are cut off at the lanes' limits (ss, us), or halved: rounded away from zero, or down (__vhaddu).
#define MYLOS_VIDEO(n, S, U)                                     \
  MYLOS_LANES_1(__vabs##n, S, x < 0 ? -x : x)                    \
  MYLOS_LANES_1(__vabsss##n, S, mylos_clamped<S>(x < 0 ? -x : x)) \
  MYLOS_LANES_1(__vneg##n, S, -x)                                \
  MYLOS_LANES_1(__vnegss##n, S, mylos_clamped<S>(-x))            \
  MYLOS_LANES(__vadd##n, U, x + y)                               \
  MYLOS_LANES(__vaddss##n, S, mylos_clamped<S>(x + y))           \
  MYLOS_LANES(__vaddus##n, U, mylos_clamped<U>(x + y))           \
  MYLOS_LANES(__vsub##n, U, x - y)                               \
  MYLOS_LANES(__vsubss##n, S, mylos_clamped<S>(x - y))           \
  MYLOS_LANES(__vsubus##n, U, mylos_clamped<U>(x - y))           \
  MYLOS_LANES(__vavgs##n, S, (x + y + (x + y >= 0 ? 1 : 0)) >> 1) \
  MYLOS_LANES(__vavgu##n, U, (x + y + 1) >> 1)                   \
  MYLOS_LANES(__vhaddu##n, U, (x + y) >> 1)                      \
  MYLOS_LANES(__vabsdiffs##n, S, mylos_distance(x, y))           \
  MYLOS_LANES(__vabsdiffu##n, U, mylos_distance(x, y))           \
  MYLOS_LANE_SUM(__vsads##n, S, mylos_distance(x, y))            \
  MYLOS_LANE_SUM(__vsadu##n, U, mylos_distance(x, y))            \
  MYLOS_LANES_COMPARED(n, U, eq, ==)                             \
  MYLOS_LANES_COMPARED(n, U, ne, !=)                             \
  MYLOS_LANES_ORDERED(n, S, s)                                   \
  MYLOS_LANES_ORDERED(n, U, u)
MYLOS_VIDEO(2, short, unsigned short)
MYLOS_VIDEO(4, signed char, unsigned char)
#undef MYLOS_VIDEO

// Dynamic programming: maxima and minima of two or three, of a sum that wraps, and not below zero (relu).
#define MYLOS_EXTREMES(s32, T, extreme)                                                                          \
  MYLOS_IF_USED T __vi##extreme##3_##s32(T a, T b, T c) { return extreme(extreme(a, b), c); }                      \
  MYLOS_IF_USED T __viadd##extreme##_##s32(T a, T b, T c) {                                                        \
    return extreme(static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);                       \
  }                                                                                                               \
  MYLOS_IF_USED T __vib##extreme##_##s32(T a, T b, bool* is_first) {                                               \
    *is_first = extreme(a, b) == a;                                                                               \
    return extreme(a, b);                                                                                         \
  }
#define MYLOS_EXTREMES_RELU(extreme)                                                                              \
  MYLOS_IF_USED int __vi##extreme##_s32_relu(int a, int b) { return max(extreme(a, b), 0); }                       \
  MYLOS_IF_USED int __vi##extreme##3_s32_relu(int a, int b, int c) { return max(__vi##extreme##3_s32(a, b, c), 0); } \
  MYLOS_IF_USED int __viadd##extreme##_s32_relu(int a, int b, int c) {                                             \
    return max(__viadd##extreme##_s32(a, b, c), 0);                                                               \
  }                                                                                                               \
  MYLOS_IF_USED unsigned __vi##extreme##_s16x2_relu(unsigned a, unsigned b) {                                      \
    return __vmaxs2(__v##extreme##s2(a, b), 0u);                                                                  \
  }                                                                                                               \
  MYLOS_IF_USED unsigned __vi##extreme##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {                         \
    return __vmaxs2(__vi##extreme##3_s16x2(a, b, c), 0u);                                                         \
  }                                                                                                               \
  MYLOS_IF_USED unsigned __viadd##extreme##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                       \
    return __vmaxs2(__viadd##extreme##_s16x2(a, b, c), 0u);                                                       \
  }
#define MYLOS_EXTREMES_2(s16x2, letter, extreme)                                                                  \
  MYLOS_IF_USED unsigned __vi##extreme##3_##s16x2(unsigned a, unsigned b, unsigned c) {                            \
    return __v##extreme##letter##2(__v##extreme##letter##2(a, b), c);                                             \
  }                                                                                                               \
  MYLOS_IF_USED unsigned __viadd##extreme##_##s16x2(unsigned a, unsigned b, unsigned c) {                          \
    return __v##extreme##letter##2(__vadd2(a, b), c);                                                             \
  }                                                                                                               \
  MYLOS_IF_USED unsigned __vib##extreme##_##s16x2(unsigned a, unsigned b, bool* is_first_high, bool* is_first_low) { \
    const unsigned result = __v##extreme##letter##2(a, b), same = __vseteq2(result, a);                           \
    *is_first_high = (same >> 16) != 0u;                                                                          \
    *is_first_low = (same & 1u) != 0u;                                                                            \
    return result;                                                                                                \
  }
MYLOS_EXTREMES(s32, int, max) MYLOS_EXTREMES(s32, int, min)
MYLOS_EXTREMES(u32, unsigned, max) MYLOS_EXTREMES(u32, unsigned, min)
MYLOS_EXTREMES_2(s16x2, s, max) MYLOS_EXTREMES_2(s16x2, s, min)
MYLOS_EXTREMES_2(u16x2, u, max) MYLOS_EXTREMES_2(u16x2, u, min)
MYLOS_EXTREMES_RELU(max) MYLOS_EXTREMES_RELU(min)
#undef MYLOS_EXTREMES
#undef MYLOS_EXTREMES_2
#undef MYLOS_EXTREMES_RELU

// Dot products, added to c: of four bytes, or of two halfwords with the two low or high bytes of b.
#define MYLOS_DOT(I, Byte, Half, bytes, halves)                                                                      \
  MYLOS_IF_USED I __dp4a(I a, I b, I c) {                                                                             \
    return static_cast<I>(static_cast<unsigned>(c) + mylos_sum_of_lanes<Byte>(static_cast<unsigned>(a), static_cast<unsigned>(b), \
                                                                              [](int x, int y) { return x * y; }));  \
  }                                                                                                                  \
  MYLOS_IF_USED I __dp2a_lo(I a, I b, I c) {                                                                          \
    const unsigned x = static_cast<unsigned>(a), y = static_cast<unsigned>(b);                                       \
    const unsigned sum = static_cast<unsigned>(static_cast<Half>(x) * static_cast<Byte>(y)) +                        \
                         static_cast<unsigned>(static_cast<Half>(x >> 16) * static_cast<Byte>(y >> 8));              \
    return static_cast<I>(static_cast<unsigned>(c) + sum);                                                           \
  }                                                                                                                  \
  MYLOS_IF_USED I __dp2a_hi(I a, I b, I c) { return __dp2a_lo(a, static_cast<I>(static_cast<unsigned>(b) >> 16), c); } \
  MYLOS_IF_USED I __dp4a(bytes a, bytes b, I c) { return __dp4a(mylos_bits<I>(a), mylos_bits<I>(b), c); }             \
  MYLOS_IF_USED I __dp2a_lo(halves a, bytes b, I c) { return __dp2a_lo(mylos_bits<I>(a), mylos_bits<I>(b), c); }      \
  MYLOS_IF_USED I __dp2a_hi(halves a, bytes b, I c) { return __dp2a_hi(mylos_bits<I>(a), mylos_bits<I>(b), c); }
MYLOS_DOT(int, signed char, short, char4, short2)
MYLOS_DOT(unsigned, unsigned char, unsigned short, uchar4, ushort2)
#undef MYLOS_DOT
#undef MYLOS_LANES_ORDERED
#undef MYLOS_LANES_COMPARED
#undef MYLOS_LANE_SUM
#undef MYLOS_LANES_1
#undef MYLOS_LANES
