// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim, gridDim, dim3.
//
// In CUDA the fields are unsigned, and blockIdx.x * blockDim.x + threadIdx.x wraps modulo 2^32. A loop over threads
// whose index may wrap cannot be vectorised (each element would need its own address), so the fields have types of
// their own, one for each axis, and the launcher's loop carries that sum along, as an int and as a long. A guard such as
// `if (i < n)` then compares a loop's own counter, which is how the compiler sees that it needs no mask. This is exact
// because launches of 2^31 threads or more along an axis run a kernel that was compiled with MYLOS_PLAIN_INDICES.
// Everything else sees unsigned values, as in CUDA.
#pragma once

struct uint3 {
  unsigned x, y, z;
};

#ifdef MYLOS_PLAIN_INDICES

template <int axis>
using mylos_thread_id = unsigned;
template <int axis>
using mylos_block_id = unsigned;
template <int axis>
using mylos_extent = unsigned;

#else

// A value in [0, 2^31). One conversion only, so that the built-in operators apply.
struct mylos_index {
  int value;
  MYLOS_MEMBER operator unsigned() const { return static_cast<unsigned>(value); }
};
template <int axis>
struct mylos_block_id : mylos_index {};
template <int axis>
struct mylos_extent : mylos_index {};
// Also the thread's place in the grid, twice.
template <int axis>
struct mylos_thread_id : mylos_index {
  int place;
  long wide_place;
};

// A product of them, and that + threadIdx.x. It converts to any arithmetic type directly, not through unsigned: that is
// the same value, and keeps the addresses' stride visible. In expressions it behaves as an unsigned.
struct mylos_linear {
  int value;
  long wide;
  template <class T, class = typename mylos_arithmetic<T>::type>
  MYLOS_MEMBER operator T() const {
    if constexpr (sizeof(T) > sizeof(int)) return static_cast<T>(wide);
    return static_cast<T>(value);
  }
  // For x[...] of pointers and arrays, and switch, which no template serves.
  MYLOS_MEMBER operator long() const { return wide; }
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
    wide = static_cast<unsigned>(value);                                     \
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

// blockIdx.x * blockDim.x, of one axis.
template <int axis>
struct mylos_block_start : mylos_linear {};
template <int axis>
struct mylos_is_linear<mylos_block_start<axis>> { static constexpr bool value = true; };

MYLOS_INLINE mylos_linear mylos_make_linear(int value) { return {value, value}; }
template <int axis>
MYLOS_INLINE mylos_block_start<axis> operator*(mylos_block_id<axis> a, mylos_extent<axis> b) {
  return {mylos_make_linear(a.value * b.value)};
}
template <int axis>
MYLOS_INLINE mylos_block_start<axis> operator*(mylos_extent<axis> a, mylos_block_id<axis> b) {
  return b * a;
}
template <int axis>
MYLOS_INLINE mylos_linear operator*(mylos_extent<axis> a, mylos_extent<axis> b) {
  return mylos_make_linear(a.value * b.value);
}
template <int axis>
MYLOS_INLINE mylos_linear operator+(mylos_block_start<axis>, mylos_thread_id<axis> b) {
  return {b.place, b.wide_place};
}
template <int axis>
MYLOS_INLINE mylos_linear operator+(mylos_thread_id<axis> a, mylos_block_start<axis>) {
  return {a.place, a.wide_place};
}

#endif

template <template <int> class T>
struct mylos_triple {
  T<0> x;
  T<1> y;
  T<2> z;
  MYLOS_MEMBER operator uint3() const { return {x, y, z}; }
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
  constexpr dim3(uint3 other) : x(other.x), y(other.y), z(other.z) {}
  template <template <int> class T>
  MYLOS_MEMBER dim3(const mylos_triple<T>& other) : x(other.x), y(other.y), z(other.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// Of kernels that run as loops over their threads. Assigned anew for each thread inside the loops of mylos_launcher.hpp,
// and never address-taken: the compiler then forwards the values instead of keeping them in memory.
struct mylos_context {
  mylos_triple<mylos_thread_id> mylos_thread;
  mylos_triple<mylos_block_id> mylos_block;
  mylos_triple<mylos_extent> mylos_block_extents, mylos_grid_extents;
};
static __thread mylos_context mylos_here;
// Whether these loops run the kernel, which they say before they begin. Nobody does in a text without them, and the
// compiler sees that.
static bool mylos_in_loop;

#ifdef MYLOS_PLAIN_INDICES
template <class T>
MYLOS_INLINE T mylos_index_of(int value) { return static_cast<T>(value); }
template <class T>
MYLOS_INLINE T mylos_thread_index(int value, int, long) { return static_cast<T>(value); }
#else
template <class T>
MYLOS_INLINE T mylos_index_of(int value) { return {{value}}; }
template <class T>
MYLOS_INLINE T mylos_thread_index(int value, int place, long wide_place) { return {{value}, place, wide_place}; }
#endif
template <class T>
MYLOS_INLINE T mylos_thread_index(int value, long start) {
  return mylos_thread_index<T>(value, static_cast<int>(start) + value, start + value);
}

#ifdef MYLOS_CHECKED
// As the two words in which functions return it: compilers write three values one by one, and then read them as words,
// which waits for all of them.
struct __attribute__((packed)) mylos_words {
  unsigned long first_two;
  unsigned third;
};
template <template <int> class T>
MYLOS_INLINE mylos_triple<T> mylos_triple_of(unsigned x, unsigned y, unsigned z) {
  return __builtin_bit_cast(mylos_triple<T>, mylos_words{x | static_cast<unsigned long>(y) << 32, z});
}
#else
template <template <int> class T>
MYLOS_INLINE mylos_triple<T> mylos_triple_of(T<0> x, T<1> y, T<2> z) {
  return {x, y, z};
}
#endif
template <template <int> class T>
MYLOS_UNCHECKED MYLOS_INLINE mylos_triple<T> mylos_triple_of(const int (&values)[3]) {
  return mylos_triple_of<T>(mylos_index_of<T<0>>(values[0]), mylos_index_of<T<1>>(values[1]),
                            mylos_index_of<T<2>>(values[2]));
}

// In kernels whose threads may wait, read at each use from where the library has them, so that nothing has to be kept
// while a thread waits. Const values: to assign to them is an error, as in CUDA.
MYLOS_OWN_ACCESSES const mylos_triple<mylos_thread_id> mylos_this_thread() {
  if (mylos_in_loop) return mylos_here.mylos_thread;
  const mylos_worker* const worker = mylos_worker_at(mylos_seat);
  const unsigned short (&index)[4] = worker->running->index;
  return mylos_triple_of<mylos_thread_id>(mylos_thread_index<mylos_thread_id<0>>(index[0], worker->starts[0]),
                                          mylos_thread_index<mylos_thread_id<1>>(index[1], worker->starts[1]),
                                          mylos_thread_index<mylos_thread_id<2>>(index[2], worker->starts[2]));
}
MYLOS_OWN_ACCESSES const mylos_triple<mylos_block_id> mylos_this_block() {
  if (mylos_in_loop) return mylos_here.mylos_block;
  return mylos_triple_of<mylos_block_id>(mylos_worker_at(mylos_seat)->block);
}
MYLOS_OWN_ACCESSES const mylos_triple<mylos_extent> mylos_extents_of_block() {
  if (mylos_in_loop) return mylos_here.mylos_block_extents;
  return mylos_triple_of<mylos_extent>(mylos_worker_at(mylos_seat)->launch->block);
}
MYLOS_OWN_ACCESSES const mylos_triple<mylos_extent> mylos_extents_of_grid() {
  if (mylos_in_loop) return mylos_here.mylos_grid_extents;
  return mylos_triple_of<mylos_extent>(mylos_worker_at(mylos_seat)->launch->grid);
}
#define threadIdx (mylos_this_thread())
#define blockIdx (mylos_this_block())
#define blockDim (mylos_extents_of_block())
#define gridDim (mylos_extents_of_grid())
