// SPDX-License-Identifier: MIT
// The fixed-width integers, std::size_t and std::ptrdiff_t, also where there is no standard library (NVRTC).
//
// Under NVRTC this text also stands behind <cstdint>, <stdint.h>, <cstddef> and <stddef.h>. There std::int64_t is
// `long long` as in NVIDIA's own headers, on the host it is `long`: same size and sign, but another type, so a kernel
// must not be overloaded on it. Macros are spelled as NVIDIA's libcu++ spells them, so that both may be included.
#pragma once

#if defined(__CUDACC_RTC__) && !defined(MYLOS_EMULATOR)

using int8_t = signed char;
using int16_t = signed short;
using int32_t = signed int;
using int64_t = signed long long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using int_fast8_t = int8_t;
using int_fast16_t = int16_t;
using int_fast32_t = int32_t;
using int_fast64_t = int64_t;
using uint_fast8_t = uint8_t;
using uint_fast16_t = uint16_t;
using uint_fast32_t = uint32_t;
using uint_fast64_t = uint64_t;
using int_least8_t = int8_t;
using int_least16_t = int16_t;
using int_least32_t = int32_t;
using int_least64_t = int64_t;
using uint_least8_t = uint8_t;
using uint_least16_t = uint16_t;
using uint_least32_t = uint32_t;
using uint_least64_t = uint64_t;
using intptr_t = int64_t;
using uintptr_t = uint64_t;
using intmax_t = int64_t;
using uintmax_t = uint64_t;
using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));

namespace std {
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::int_fast16_t;
using ::int_fast32_t;
using ::int_fast64_t;
using ::int_fast8_t;
using ::int_least16_t;
using ::int_least32_t;
using ::int_least64_t;
using ::int_least8_t;
using ::intmax_t;
using ::intptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uint_fast16_t;
using ::uint_fast32_t;
using ::uint_fast64_t;
using ::uint_fast8_t;
using ::uint_least16_t;
using ::uint_least32_t;
using ::uint_least64_t;
using ::uint_least8_t;
using ::uintmax_t;
using ::uintptr_t;
using nullptr_t = decltype(nullptr);
}  // namespace std

#  include <climits>

#  define INT8_MIN SCHAR_MIN
#  define INT16_MIN SHRT_MIN
#  define INT32_MIN INT_MIN
#  define INT64_MIN LLONG_MIN
#  define INT8_MAX SCHAR_MAX
#  define INT16_MAX SHRT_MAX
#  define INT32_MAX INT_MAX
#  define INT64_MAX LLONG_MAX
#  define UINT8_MAX UCHAR_MAX
#  define UINT16_MAX USHRT_MAX
#  define UINT32_MAX UINT_MAX
#  define UINT64_MAX ULLONG_MAX
#  define INTPTR_MIN INT64_MIN
#  define INTPTR_MAX INT64_MAX
#  define UINTPTR_MAX UINT64_MAX
#  define INTMAX_MIN INT64_MIN
#  define INTMAX_MAX INT64_MAX
#  define UINTMAX_MAX UINT64_MAX
#  define PTRDIFF_MIN INT64_MIN
#  define PTRDIFF_MAX INT64_MAX
#  define SIZE_MAX UINT64_MAX
#  ifndef offsetof
#    define offsetof(S, member) __INTADDR__(&(((S*)0)->member))
#  endif
#  define INT64_C(X) ((::int_least64_t)(X))
#  define UINT64_C(X) ((::uint_least64_t)(X))

#else

#  include <cstddef>
#  include <cstdint>

#endif

static_assert(sizeof(std::int64_t) == 8 && sizeof(std::uint64_t) == 8, "64-bit integers have eight bytes");
static_assert(sizeof(std::int32_t) == 4 && sizeof(std::uint32_t) == 4, "32-bit integers have four bytes");
static_assert(sizeof(std::size_t) == 8 && sizeof(std::ptrdiff_t) == 8, "Mylos needs a 64-bit platform");
