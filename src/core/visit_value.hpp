// SPDX-License-Identifier: MIT
// From a kind to the C++ type: the one switch over all kinds.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <mylos/base/abi.hpp>
#include <mylos/core/value_kind.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Calls f(std::type_identity<T>()) with the type of that kind (complex numbers: std::complex) and returns true; false
/// for kinds without arithmetic on the host, float16 and other.
template <class F>
bool visit_type(ValueKind kind, F&& f) {
  switch (kind) {
    case ValueKind::boolean: f(std::type_identity<bool>()); return true;
    case ValueKind::int8: f(std::type_identity<std::int8_t>()); return true;
    case ValueKind::int16: f(std::type_identity<std::int16_t>()); return true;
    case ValueKind::int32: f(std::type_identity<std::int32_t>()); return true;
    case ValueKind::int64: f(std::type_identity<std::int64_t>()); return true;
    case ValueKind::uint8: f(std::type_identity<std::uint8_t>()); return true;
    case ValueKind::uint16: f(std::type_identity<std::uint16_t>()); return true;
    case ValueKind::uint32: f(std::type_identity<std::uint32_t>()); return true;
    case ValueKind::uint64: f(std::type_identity<std::uint64_t>()); return true;
    case ValueKind::float32: f(std::type_identity<float>()); return true;
    case ValueKind::float64: f(std::type_identity<double>()); return true;
    case ValueKind::complex64: f(std::type_identity<std::complex<float>>()); return true;
    case ValueKind::complex128: f(std::type_identity<std::complex<double>>()); return true;
    case ValueKind::float16:
    case ValueKind::other: break;
  }
  return false;
}

/// A value from its bytes, wherever they lie.
template <class T>
T value_at(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace mylos::inline MYLOS_ABI::detail
