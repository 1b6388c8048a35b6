// SPDX-License-Identifier: MIT
// Up to three extents: numbers of threads, blocks, or an index of either; x first.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// "Not given", or one to three integers of any type; axes left out count as 1.
///
/// Values are kept in 64 bits; an unsigned value beyond 2^63 - 1 throws RangeError. Negative ones are kept as they
/// are and refused where they are used, with the name of what they were meant for.
struct Extents3 {
  std::int64_t x = 1, y = 1, z = 1;
  int rank = 0;  ///< how many were given; 0: not given

  constexpr Extents3() = default;
  template <std::integral X>
  constexpr Extents3(X nx) : x(checked(nx)), rank(1) {}  // NOLINT(google-explicit-constructor): {.threads = n}
  template <std::integral X, std::integral Y>
  constexpr Extents3(X nx, Y ny) : x(checked(nx)), y(checked(ny)), rank(2) {}
  template <std::integral X, std::integral Y, std::integral Z>
  constexpr Extents3(X nx, Y ny, Z nz) : x(checked(nx)), y(checked(ny)), z(checked(nz)), rank(3) {}

  [[nodiscard]] constexpr bool given() const { return rank > 0; }
  [[nodiscard]] constexpr std::array<std::int64_t, 3> array() const { return {x, y, z}; }
  friend constexpr bool operator==(const Extents3&, const Extents3&) = default;

 private:
  template <std::integral I>
  static constexpr std::int64_t checked(I value) {
    if (!std::in_range<std::int64_t>(value)) throw_too_large();
    return static_cast<std::int64_t>(value);
  }
  [[noreturn]] MYLOS_EXPORT static void throw_too_large();
};

/// "(4, 2)" as it was given, "(not given)" otherwise.
[[nodiscard]] MYLOS_EXPORT std::string to_string(const Extents3& extents);

}  // namespace mylos::inline MYLOS_ABI
