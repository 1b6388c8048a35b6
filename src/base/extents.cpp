// SPDX-License-Identifier: MIT
#include <mylos/base/extents.hpp>

#include <array>
#include <span>

#include <mylos/base/error.hpp>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI {

void Extents3::throw_too_large() {
  throw RangeError(
      "an extent is larger than 2^63 - 1: it is kept in 64 bits: check for a negative number that was "
      "converted to unsigned");
}

std::string to_string(const Extents3& extents) {
  if (!extents.given()) return "(not given)";
  const std::array<std::int64_t, 3> all = extents.array();
  return detail::tuple_text(std::span(all).first(static_cast<std::size_t>(extents.rank)));
}

}  // namespace mylos::inline MYLOS_ABI
