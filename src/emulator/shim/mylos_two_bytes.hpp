// SPDX-License-Identifier: MIT
// Numbers of two bytes: their bits from and to float. What is computed with them is computed in float and rounded once;
// float has more than twice their digits, so that is the rightly rounded result of one operation (not of a fused one).
#pragma once

// Clang has the type's macros also where it has no such type.
#if defined(__FLT16_MANT_DIG__) && !defined(__clang__)
#define MYLOS_HAS_FLOAT16 1
#endif

// A number of this type has these bits.
template <class T>
MYLOS_INLINE T mylos_two_bytes(unsigned bits) {
  return mylos_bits<T>(static_cast<unsigned short>(bits));
}

struct mylos_binary16 {
  static constexpr int digits = 11, lowest = -24;
  static constexpr unsigned infinity = 0x7c00u;
  static MYLOS_MEMBER float value(unsigned bits) {
#ifdef MYLOS_HAS_FLOAT16
    return static_cast<float>(mylos_bits<_Float16>(static_cast<unsigned short>(bits)));
#else
    // As if it were a float with another bias; what was no number stays none.
    const float scaled = mylos_bits<float>((bits & 0x7fffu) << 13) * 0x1p112f;
    const unsigned wide = mylos_bits<unsigned>(scaled) | ((bits & infinity) == infinity ? 0x7f800000u : 0u);
    return mylos_bits<float>(wide | (bits & 0x8000u) << 16);
#endif
  }
  static MYLOS_MEMBER unsigned bits(float x) {
#ifdef MYLOS_HAS_FLOAT16
    return mylos_bits<unsigned short>(static_cast<_Float16>(x));
#else
    const unsigned wide = mylos_bits<unsigned>(x), sign = wide >> 16 & 0x8000u, size = wide & 0x7fffffffu;
    if (size > 0x7f800000u) return 0x7fffu;
    if (size >= 0x477ff000u) return sign | infinity;
    // Below the normal numbers a sum does the rounding: the last bit of 1/2 is worth the smallest number.
    if (size < 0x38800000u) return sign | (mylos_bits<unsigned>(mylos_bits<float>(size) + 0.5f) - 0x3f000000u);
    return sign | (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
#endif
  }
};
struct mylos_bfloat16 {
  static constexpr int digits = 8, lowest = -133;
  static constexpr unsigned infinity = 0x7f80u;
  static MYLOS_MEMBER float value(unsigned bits) { return mylos_bits<float>(bits << 16); }
  static MYLOS_MEMBER unsigned bits(float x) {
    const unsigned wide = mylos_bits<unsigned>(x);
    if ((wide & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
    return (wide + 0x7fffu + (wide >> 16 & 1u)) >> 16;
  }
};
