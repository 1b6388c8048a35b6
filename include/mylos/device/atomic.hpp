// SPDX-License-Identifier: MIT
// Atomic operations on one element: every one returns the value before it. Relaxed order, device-wide.
//
// T: int, unsigned, long, unsigned long, long long, unsigned long long (so std::int64_t is among them in every
// compiler), float and double. In host code the operation is Kokkos' when <Kokkos_Core.hpp> was included before (which
// makes it a plain one where Kokkos runs serially), else the compiler's.
#pragma once

#include <mylos/device/integers.hpp>
#include <mylos/device/platform.hpp>

// Which implementation a translation unit has is part of the functions' names: host code with and without Kokkos may
// be linked together.
#if defined(KOKKOS_VERSION) && !MYLOS_IN_KERNEL_TEXT
#  define MYLOS_ATOMIC_FLAVOUR kokkos_atomics
#elif MYLOS_IN_KERNEL_TEXT || defined(__CUDACC__)
#  define MYLOS_ATOMIC_FLAVOUR cuda_atomics
#else
#  define MYLOS_ATOMIC_FLAVOUR compiler_atomics
#endif

namespace mylos::device {
inline namespace MYLOS_ATOMIC_FLAVOUR {
namespace atomic_detail {

using detail::exactly;  // the address says what T is: atomic_add(double*, 1) adds 1.0

template <class T>
inline constexpr bool is_integer = static_cast<T>(0.5) == T(0);

#if defined(KOKKOS_VERSION) && !MYLOS_IN_KERNEL_TEXT

template <class T>
MYLOS_FUNCTION T fetch_add(T* address, T value) {
  return ::Kokkos::atomic_fetch_add(address, value);
}

template <class T>
MYLOS_FUNCTION T exchange_if_equal(T* address, T expected, T desired) {
  return ::Kokkos::atomic_compare_exchange(address, expected, desired);
}

template <class T>
MYLOS_FUNCTION T exchange(T* address, T value) {
  return ::Kokkos::atomic_exchange(address, value);
}

#elif MYLOS_IN_KERNEL_TEXT || defined(__CUDA_ARCH__)

template <int bytes>
struct Unsigned;
template <>
struct Unsigned<4> {
  using type = unsigned int;
};
template <>
struct Unsigned<8> {
  using type = unsigned long long;
};
// As many bits without a sign: CUDA's atomics exist for these, and addition modulo 2^n is the same for both signs.
template <class T>
using bits_of = typename Unsigned<static_cast<int>(sizeof(T))>::type;

template <class T>
__device__ T fetch_add(T* address, T value) {
  if constexpr (is_integer<T>) {
    return static_cast<T>(atomicAdd(reinterpret_cast<bits_of<T>*>(address), static_cast<bits_of<T>>(value)));
  } else {
    return atomicAdd(address, value);
  }
}

template <class To, class From>
__device__ To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "only values of one size share their bits");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

template <class T>
__device__ T exchange_if_equal(T* address, T expected, T desired) {
  return same_bits<T>(atomicCAS(reinterpret_cast<bits_of<T>*>(address), same_bits<bits_of<T>>(expected),
                                same_bits<bits_of<T>>(desired)));
}

template <class T>
__device__ T exchange(T* address, T value) {
  return same_bits<T>(atomicExch(reinterpret_cast<bits_of<T>*>(address), same_bits<bits_of<T>>(value)));
}

#else

template <class T>
MYLOS_FUNCTION T exchange_if_equal(T* address, T expected, T desired) {
  __atomic_compare_exchange(address, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

template <class T>
MYLOS_FUNCTION T exchange(T* address, T value) {
  T before;
  __atomic_exchange(address, &value, &before, __ATOMIC_RELAXED);
  return before;
}

template <class T>
MYLOS_FUNCTION T fetch_add(T* address, T value) {
  if constexpr (is_integer<T>) {
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  } else {
    T before;
    __atomic_load(address, &before, __ATOMIC_RELAXED);
    T sum = before + value;
    while (!__atomic_compare_exchange(address, &before, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      sum = before + value;
    }
    return before;
  }
}

#endif

// The bits, not the values, decide whether an exchange happened: NaN is not equal to itself, and -0.0 is to 0.0.
template <class T>
MYLOS_FUNCTION bool identical(const T& a, const T& b) {
  const auto* left = reinterpret_cast<const unsigned char*>(&a);
  const auto* right = reinterpret_cast<const unsigned char*>(&b);
  for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
    if (left[byte] != right[byte]) return false;
  }
  return true;
}

// Replaces the element by `value` as long as `better(value, element)`.
template <class T, class Better>
MYLOS_FUNCTION T replace_if(T* address, T value, Better better) {
  T before = *static_cast<volatile T*>(address);
  while (better(value, before)) {
    const T seen = exchange_if_equal(address, before, value);
    if (identical(seen, before)) break;
    before = seen;
  }
  return before;
}

struct Less {
  template <class T>
  MYLOS_FUNCTION bool operator()(T a, T b) const {
    return a < b;
  }
};
struct Greater {
  template <class T>
  MYLOS_FUNCTION bool operator()(T a, T b) const {
    return b < a;
  }
};

}  // namespace atomic_detail

/// *address += value.
template <class T>
MYLOS_FUNCTION T atomic_add(T* address, detail::exactly<T> value) {
  return atomic_detail::fetch_add(address, value);
}

/// *address = min(*address, value). A NaN value changes nothing.
template <class T>
MYLOS_FUNCTION T atomic_min(T* address, detail::exactly<T> value) {
  return atomic_detail::replace_if(address, value, atomic_detail::Less{});
}

/// *address = max(*address, value). A NaN value changes nothing.
template <class T>
MYLOS_FUNCTION T atomic_max(T* address, detail::exactly<T> value) {
  return atomic_detail::replace_if(address, value, atomic_detail::Greater{});
}

/// Writes `desired` if the element has the bits of `expected`; it did if the result has them. (Where Kokkos runs
/// serially it compares values: there NaN is never replaced.)
template <class T>
MYLOS_FUNCTION T atomic_compare_exchange(T* address, detail::exactly<T> expected, detail::exactly<T> desired) {
  return atomic_detail::exchange_if_equal(address, expected, desired);
}

/// *address = value.
template <class T>
MYLOS_FUNCTION T atomic_exchange(T* address, detail::exactly<T> value) {
  return atomic_detail::exchange(address, value);
}

}  // namespace MYLOS_ATOMIC_FLAVOUR
}  // namespace mylos::device

#undef MYLOS_ATOMIC_FLAVOUR
