// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim, gridDim, dim3.
//
// In CUDA the fields are unsigned, and blockIdx.x * blockDim.x + threadIdx.x wraps modulo 2^32. A loop over threads
// whose index may wrap cannot be vectorised (each element would need its own address), so the fields have types of
// their own: their product and the sum with threadIdx are computed without wrap, which is exact because launches of
// 2^31 threads or more along an axis run a kernel that was compiled with MYLOS_PLAIN_INDICES. Everything else sees
// unsigned values, as in CUDA.
#pragma once

struct uint3 {
  unsigned x, y, z;
};

#ifdef MYLOS_PLAIN_INDICES

using mylos_thread_id = unsigned;
using mylos_block_id = unsigned;
using mylos_extent = unsigned;
MYLOS_INLINE unsigned mylos_as(int value) { return static_cast<unsigned>(value); }

#else

// A value in [0, 2^31). One conversion only, so that the built-in operators apply.
struct mylos_index {
  int value;
  MYLOS_MEMBER operator unsigned() const { return static_cast<unsigned>(value); }
};
struct mylos_thread_id : mylos_index {};
struct mylos_block_id : mylos_index {};
struct mylos_extent : mylos_index {};
template <class T>
MYLOS_INLINE T mylos_make(int value) {
  T index;
  index.value = value;
  return index;
}

// blockIdx.x * blockDim.x, and that + threadIdx.x. It converts to any arithmetic type directly, not through unsigned:
// that is the same value, and keeps the addresses' stride visible. In expressions it behaves as an unsigned.
struct mylos_linear {
  int value;
  template <class T, class = typename mylos_arithmetic<T>::type>
  MYLOS_MEMBER operator T() const {
    return static_cast<T>(value);
  }
  MYLOS_MEMBER unsigned operator+() const { return static_cast<unsigned>(value); }
  MYLOS_MEMBER unsigned operator-() const { return -static_cast<unsigned>(value); }
  MYLOS_MEMBER unsigned operator~() const { return ~static_cast<unsigned>(value); }
  MYLOS_MEMBER bool operator!() const { return value == 0; }
  MYLOS_MEMBER mylos_linear& operator++() { return *this += 1u; }
  MYLOS_MEMBER mylos_linear& operator--() { return *this -= 1u; }
  MYLOS_MEMBER mylos_linear operator++(int) { const mylos_linear old = *this; *this += 1u; return old; }
  MYLOS_MEMBER mylos_linear operator--(int) { const mylos_linear old = *this; *this -= 1u; return old; }
#define MYLOS_ASSIGN(op)                                                     \
  template <class T>                                                         \
  MYLOS_MEMBER mylos_linear& operator op##=(T other) {                       \
    value = static_cast<int>(static_cast<unsigned>(value) op other);         \
    return *this;                                                            \
  }
  MYLOS_ASSIGN(+) MYLOS_ASSIGN(-) MYLOS_ASSIGN(*) MYLOS_ASSIGN(/) MYLOS_ASSIGN(%)
  MYLOS_ASSIGN(&) MYLOS_ASSIGN(|) MYLOS_ASSIGN(^) MYLOS_ASSIGN(<<) MYLOS_ASSIGN(>>)
#undef MYLOS_ASSIGN
};

template <class T>
MYLOS_INLINE constexpr decltype(+T()) mylos_value(T other) { return other; }
MYLOS_INLINE unsigned mylos_value(mylos_linear other) { return +other; }
template <class T> struct mylos_is_linear { static constexpr bool value = false; };
template <> struct mylos_is_linear<mylos_linear> { static constexpr bool value = true; };
template <bool> struct mylos_if {};
template <> struct mylos_if<true> { using type = void; };

#define MYLOS_BINARY(op)                                                                              \
  template <class T>                                                                                  \
  MYLOS_INLINE auto operator op(mylos_linear a, T b)->decltype(+a op mylos_value(b)) {                \
    return +a op mylos_value(b);                                                                      \
  }                                                                                                   \
  template <class T, class = typename mylos_if<!mylos_is_linear<T>::value>::type>                     \
  MYLOS_INLINE auto operator op(T a, mylos_linear b)->decltype(mylos_value(a) op +b) {                \
    return mylos_value(a) op +b;                                                                      \
  }
MYLOS_BINARY(+) MYLOS_BINARY(-) MYLOS_BINARY(*) MYLOS_BINARY(/) MYLOS_BINARY(%)
MYLOS_BINARY(&) MYLOS_BINARY(|) MYLOS_BINARY(^) MYLOS_BINARY(<<) MYLOS_BINARY(>>)
MYLOS_BINARY(<) MYLOS_BINARY(<=) MYLOS_BINARY(>) MYLOS_BINARY(>=) MYLOS_BINARY(==) MYLOS_BINARY(!=)
#undef MYLOS_BINARY

MYLOS_INLINE mylos_linear operator*(mylos_block_id a, mylos_extent b) { return {a.value * b.value}; }
MYLOS_INLINE mylos_linear operator*(mylos_extent a, mylos_block_id b) { return {a.value * b.value}; }
MYLOS_INLINE mylos_linear operator*(mylos_extent a, mylos_extent b) { return {a.value * b.value}; }
MYLOS_INLINE mylos_linear operator+(mylos_linear a, mylos_thread_id b) { return {a.value + b.value}; }
MYLOS_INLINE mylos_linear operator+(mylos_thread_id a, mylos_linear b) { return {a.value + b.value}; }

#endif

template <class T>
struct mylos_triple {
  T x, y, z;
  MYLOS_MEMBER operator uint3() const { return {x, y, z}; }
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
  constexpr dim3(uint3 other) : x(other.x), y(other.y), z(other.z) {}
  template <class T>
  MYLOS_MEMBER dim3(const mylos_triple<T>& other) : x(other.x), y(other.y), z(other.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// Assigned anew for each thread inside the loops of mylos_launcher.hpp, and never address-taken: the compiler then
// forwards the values instead of keeping them in memory.
struct mylos_context {
  mylos_triple<mylos_thread_id> thread;
  mylos_triple<mylos_block_id> block;
  mylos_triple<mylos_extent> block_extents, grid_extents;
};
static __thread mylos_context mylos_here;

#define threadIdx (static_cast<const mylos_triple<mylos_thread_id>&>(mylos_here.thread))
#define blockIdx (static_cast<const mylos_triple<mylos_block_id>&>(mylos_here.block))
#define blockDim (static_cast<const mylos_triple<mylos_extent>&>(mylos_here.block_extents))
#define gridDim (static_cast<const mylos_triple<mylos_extent>&>(mylos_here.grid_extents))
