// SPDX-License-Identifier: MIT
// float4, int2, ... with CUDA's alignments: two elements align as a pair, four as a quadruple of at most 16 bytes,
// three as their element.
#pragma once

#define MYLOS_VECTOR_TYPE(T, name, pair, quadruple)                                              \
  struct name##1 {                                                                               \
    T x;                                                                                         \
  };                                                                                             \
  struct __attribute__((aligned(pair))) name##2 {                                                \
    T x, y;                                                                                      \
  };                                                                                             \
  MYLOS_VECTOR_TYPE_3(T, name)                                                                   \
  struct __attribute__((aligned(quadruple))) name##4 {                                           \
    T x, y, z, w;                                                                                \
  };                                                                                             \
  MYLOS_INLINE constexpr name##1 make_##name##1(T x) { return {x}; }                             \
  MYLOS_INLINE constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                     \
  MYLOS_INLINE constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }             \
  MYLOS_INLINE constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define MYLOS_VECTOR_TYPE_3(T, name) \
  struct name##3 {                   \
    T x, y, z;                       \
  };

MYLOS_VECTOR_TYPE(signed char, char, 2, 4)
MYLOS_VECTOR_TYPE(unsigned char, uchar, 2, 4)
MYLOS_VECTOR_TYPE(short, short, 4, 8)
MYLOS_VECTOR_TYPE(unsigned short, ushort, 4, 8)
MYLOS_VECTOR_TYPE(int, int, 8, 16)
MYLOS_VECTOR_TYPE(long, long, 16, 16)
MYLOS_VECTOR_TYPE(unsigned long, ulong, 16, 16)
MYLOS_VECTOR_TYPE(long long, longlong, 16, 16)
MYLOS_VECTOR_TYPE(unsigned long long, ulonglong, 16, 16)
MYLOS_VECTOR_TYPE(float, float, 8, 16)
MYLOS_VECTOR_TYPE(double, double, 16, 16)
#undef MYLOS_VECTOR_TYPE_3
#define MYLOS_VECTOR_TYPE_3(T, name)  // uint3 is what the built-in indices convert to, and exists already
MYLOS_VECTOR_TYPE(unsigned, uint, 8, 16)
#undef MYLOS_VECTOR_TYPE_3
#undef MYLOS_VECTOR_TYPE

// Quadruples of 8-byte elements that say how they are aligned.
#define MYLOS_ALIGNED_QUADRUPLE(T, name, bytes)            \
  struct __attribute__((aligned(bytes))) name##4_##bytes##a { \
    T x, y, z, w;                                          \
  };                                                       \
  MYLOS_INLINE constexpr name##4_##bytes##a make_##name##4_##bytes##a(T x, T y, T z, T w) { return {x, y, z, w}; }
#define MYLOS_ALIGNED_QUADRUPLES(T, name) MYLOS_ALIGNED_QUADRUPLE(T, name, 16) MYLOS_ALIGNED_QUADRUPLE(T, name, 32)
MYLOS_ALIGNED_QUADRUPLES(long, long)
MYLOS_ALIGNED_QUADRUPLES(unsigned long, ulong)
MYLOS_ALIGNED_QUADRUPLES(long long, longlong)
MYLOS_ALIGNED_QUADRUPLES(unsigned long long, ulonglong)
MYLOS_ALIGNED_QUADRUPLES(double, double)
#undef MYLOS_ALIGNED_QUADRUPLES
#undef MYLOS_ALIGNED_QUADRUPLE
