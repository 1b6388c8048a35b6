// SPDX-License-Identifier: MIT
// The elements and values that Mylos knows by more than their size: one list for kernels, comparisons and files.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/device/complex.hpp>

namespace mylos::inline MYLOS_ABI {

/// What a value is, by size and signedness: `long` and `long long` are one kind, enumerations are their integer's.
enum class ValueKind : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  complex64,
  complex128,
  other  ///< a class, a pointer, or what CUDA kernels have no word for
};

/// NumPy's name: "bool", "int32", "float64", "complex128"; "other".
[[nodiscard]] MYLOS_EXPORT std::string_view to_string(ValueKind kind) noexcept;

namespace detail {

/// Bytes of a value, which is also how it is aligned on the device; 0 for `other`.
[[nodiscard]] MYLOS_EXPORT std::size_t size_of(ValueKind kind) noexcept;

/// The kind of integers of `bytes` bytes; `other` when there is none.
constexpr ValueKind integer_kind(std::size_t bytes, bool is_signed) {
  switch (bytes) {
    case 1: return is_signed ? ValueKind::int8 : ValueKind::uint8;
    case 2: return is_signed ? ValueKind::int16 : ValueKind::uint16;
    case 4: return is_signed ? ValueKind::int32 : ValueKind::uint32;
    case 8: return is_signed ? ValueKind::int64 : ValueKind::uint64;
    default: return ValueKind::other;
  }
}

/// The kind of complex numbers of such parts; `other` when there is none.
constexpr ValueKind complex_kind(ValueKind part) {
  if (part == ValueKind::float32) return ValueKind::complex64;
  return part == ValueKind::float64 ? ValueKind::complex128 : ValueKind::other;
}

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;
template <class T>
inline constexpr bool is_complex_v<Kokkos::complex<T>> = true;
template <class T>
inline constexpr bool is_complex_v<device::complex<T>> = true;

/// The kind of T, which is neither const nor a reference.
template <class T>
consteval ValueKind value_kind() {
  if constexpr (std::is_same_v<T, bool>)
    return ValueKind::boolean;
  else if constexpr (std::is_enum_v<T>)
    return value_kind<std::underlying_type_t<T>>();
  else if constexpr (std::is_integral_v<T>)
    return integer_kind(sizeof(T), std::is_signed_v<T>);
  else if constexpr (std::is_same_v<T, float>)
    return ValueKind::float32;
  else if constexpr (std::is_same_v<T, double>)
    return ValueKind::float64;
  else if constexpr (std::is_same_v<T, Kokkos::Experimental::half_t> && sizeof(T) == 2)
    return ValueKind::float16;
  else if constexpr (is_complex_v<T>)
    return complex_kind(value_kind<typename T::value_type>());
  else
    return ValueKind::other;
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
