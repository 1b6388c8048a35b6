// SPDX-License-Identifier: MIT
// Integer intrinsics, conversions, cached loads and stores, clocks.
#pragma once

MYLOS_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
MYLOS_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
MYLOS_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
MYLOS_INLINE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
MYLOS_INLINE int __ffs(int x) { return __builtin_ffs(x); }
MYLOS_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
MYLOS_INLINE unsigned long long __brevll(unsigned long long x) {
  x = __builtin_bswap64(x);
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
  x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
  return (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
}
MYLOS_INLINE unsigned __brev(unsigned x) { return static_cast<unsigned>(__brevll(x) >> 32); }
MYLOS_INLINE int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
MYLOS_INLINE unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
MYLOS_INLINE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
MYLOS_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
MYLOS_INLINE int __mul24(int x, int y) {
  return static_cast<int>(static_cast<unsigned>(x << 8 >> 8) * static_cast<unsigned>(y << 8 >> 8));
}
MYLOS_INLINE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
MYLOS_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x < y ? y - x : x - y) + z; }
MYLOS_INLINE unsigned __sad(int x, int y, unsigned z) {
  const unsigned a = static_cast<unsigned>(x), b = static_cast<unsigned>(y);
  return (x < y ? b - a : a - b) + z;
}
MYLOS_INLINE int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
MYLOS_INLINE int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
MYLOS_INLINE unsigned __uhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
MYLOS_INLINE unsigned __urhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}
MYLOS_INLINE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
MYLOS_INLINE unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
MYLOS_INLINE unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
// The n-th set bit from `base` on, upwards for n > 0 and downwards for n < 0; for 0 that one. All ones if there is none.
MYLOS_INLINE unsigned __fns(unsigned mask, unsigned base, int n) {
  const int step = n < 0 ? -1 : 1;
  int left = n == 0 ? 1 : n * step;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1u) != 0 && --left == 0) return static_cast<unsigned>(at);
    if (n == 0) break;
  }
  return 0xffffffffu;
}
MYLOS_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned choice = selector >> 4 * i & 0xfu;
    unsigned byte = static_cast<unsigned>(bytes >> 8 * (choice & 7u)) & 0xffu;
    if ((choice & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0u;
    result |= byte << 8 * i;
  }
  return result;
}
MYLOS_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both << (shift & 31u) >> 32);
}
MYLOS_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift & 31u));
}
MYLOS_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift < 32u ? __funnelshift_l(low, high, shift) : low;
}
MYLOS_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift < 32u ? __funnelshift_r(low, high, shift) : high;
}

MYLOS_INLINE int __float_as_int(float x) { return mylos_bits<int>(x); }
MYLOS_INLINE unsigned __float_as_uint(float x) { return mylos_bits<unsigned>(x); }
MYLOS_INLINE float __int_as_float(int x) { return mylos_bits<float>(x); }
MYLOS_INLINE float __uint_as_float(unsigned x) { return mylos_bits<float>(x); }
MYLOS_INLINE long long __double_as_longlong(double x) { return mylos_bits<long long>(x); }
MYLOS_INLINE double __longlong_as_double(long long x) { return mylos_bits<double>(x); }
MYLOS_INLINE int __double2hiint(double x) { return static_cast<int>(mylos_bits<unsigned long long>(x) >> 32); }
MYLOS_INLINE int __double2loint(double x) { return static_cast<int>(mylos_bits<unsigned long long>(x)); }
MYLOS_INLINE double __hiloint2double(int high, int low) {
  return mylos_bits<double>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                            static_cast<unsigned>(low));
}

// Conversions to integers saturate as on the device (in C++ they would be undefined). NaN gives 0; but where one of the
// types has 64 bits, the highest bit.
template <class I, class F>
MYLOS_INLINE I mylos_saturate(F x) {
  constexpr bool is_signed = static_cast<I>(-1) < static_cast<I>(0);
  constexpr int bits = 8 * sizeof(I) - (is_signed ? 1 : 0);
  constexpr F limit = static_cast<F>(1ull << (bits - 1)) * F(2);
  constexpr I lowest = is_signed ? static_cast<I>(1ull << bits % 64) : I(0);
  if (x != x) return sizeof(I) + sizeof(F) > 8 ? static_cast<I>(1ull << (8 * sizeof(I) - 1)) : I(0);
  if (x >= limit) return static_cast<I>(~lowest);
  return x < static_cast<F>(lowest) ? lowest : static_cast<I>(x);
}
#define MYLOS_CONVERSION(from, F, to, I, suffix)                                                        \
  MYLOS_INLINE I __##from##2##to##_rn(F x) { return mylos_saturate<I>(__builtin_rint##suffix(x)); }     \
  MYLOS_INLINE I __##from##2##to##_rz(F x) { return mylos_saturate<I>(__builtin_trunc##suffix(x)); }    \
  MYLOS_INLINE I __##from##2##to##_ru(F x) { return mylos_saturate<I>(__builtin_ceil##suffix(x)); }     \
  MYLOS_INLINE I __##from##2##to##_rd(F x) { return mylos_saturate<I>(__builtin_floor##suffix(x)); }
#define MYLOS_CONVERSIONS(to, I) MYLOS_CONVERSION(double, double, to, I, ) MYLOS_CONVERSION(float, float, to, I, f)
MYLOS_CONVERSIONS(int, int)
MYLOS_CONVERSIONS(uint, unsigned)
MYLOS_CONVERSIONS(ll, long long)
MYLOS_CONVERSIONS(ull, unsigned long long)
#undef MYLOS_CONVERSIONS
#undef MYLOS_CONVERSION
MYLOS_INLINE double __int2double_rn(int x) { return x; }
MYLOS_INLINE double __uint2double_rn(unsigned x) { return x; }
MYLOS_INLINE double __ll2double_rn(long long x) { return static_cast<double>(x); }
MYLOS_INLINE double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
MYLOS_INLINE float __int2float_rn(int x) { return static_cast<float>(x); }
MYLOS_INLINE float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
MYLOS_INLINE float __ll2float_rn(long long x) { return static_cast<float>(x); }
MYLOS_INLINE float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
MYLOS_INLINE float __double2float_rn(double x) { return static_cast<float>(x); }

template <class T>
MYLOS_INLINE T __ldg(const T* address) {
  return *address;
}
#define MYLOS_LOAD(name) \
  template <class T>     \
  MYLOS_INLINE T name(const T* address) { return *address; }
#define MYLOS_STORE(name) \
  template <class T>      \
  MYLOS_INLINE void name(T* address, T value) { *address = value; }
MYLOS_LOAD(__ldcg) MYLOS_LOAD(__ldca) MYLOS_LOAD(__ldcs) MYLOS_LOAD(__ldlu) MYLOS_LOAD(__ldcv)
MYLOS_STORE(__stwb) MYLOS_STORE(__stcg) MYLOS_STORE(__stcs) MYLOS_STORE(__stwt)
#undef MYLOS_LOAD
#undef MYLOS_STORE

MYLOS_INLINE long long clock64() {
#ifdef MYLOS_CHECKED
  mylos_note_change();
#endif
#ifdef __x86_64__
  return static_cast<long long>(__builtin_ia32_rdtsc());
#else
  struct { long seconds, nanoseconds; } now;
  extern int clock_gettime(int, void*) noexcept __asm__("clock_gettime");
  clock_gettime(1, &now);
  return now.seconds * 1000000000ll + now.nanoseconds;
#endif
}
MYLOS_INLINE int clock() { return static_cast<int>(clock64()); }

MYLOS_INLINE mylos_place mylos_this_place() {
  const auto t = mylos_this_thread();
  const auto b = mylos_this_block();
  return {{static_cast<int>(t.x), static_cast<int>(t.y), static_cast<int>(t.z)},
          {static_cast<int>(b.x), static_cast<int>(b.y), static_cast<int>(b.z)}};
}
[[noreturn]] MYLOS_INLINE void mylos_fail(int failure, const char* text, const char* file, int line) {
  mylos_library->fail(failure, text, file, line, mylos_this_place());
  __builtin_unreachable();
}
// Of a mylos::Array. Its pointer tells the library which View that is.
[[noreturn]] MYLOS_INLINE void mylos_bad_index(const void* data, long long index, int axis, long long extent) {
  mylos_library->bad_index(data, index, axis, extent, mylos_this_place());
  __builtin_unreachable();
}
// Device code has no exceptions: told where one is thrown, before the runtime library is asked for anything. Reads
// nothing of this thread: its indices need not exist where nobody else reads them. Not inlined, so that the caller has
// the line.
extern "C" {
MYLOS_HIDDEN __attribute__((noinline)) void* __cxa_allocate_exception(size_t) noexcept {
  mylos_library->threw();
  __builtin_unreachable();
}
MYLOS_HIDDEN __attribute__((noinline)) void __cxa_throw_bad_array_new_length() {
  mylos_library->threw();
  __builtin_unreachable();
}
}
#define __trap() mylos_fail(mylos_trapped, "__trap()", __FILE__, __LINE__)
#define __brkpt() mylos_fail(mylos_trapped, "__brkpt()", __FILE__, __LINE__)
#define assert(condition) \
  ((condition) ? static_cast<void>(0) : mylos_fail(mylos_failed_assertion, #condition, __FILE__, __LINE__))
#define __prof_trigger(counter) static_cast<void>(counter)
#define __builtin_assume(condition) static_cast<void>(0)

