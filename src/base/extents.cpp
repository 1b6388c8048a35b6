// SPDX-License-Identifier: MIT
#include <mylos/base/extents.hpp>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI {

void Extents3::throw_too_large() {
  throw RangeError(
      "an extent is larger than 2^63 - 1: it is kept in 64 bits: check for a negative number that was "
      "converted to unsigned");
}

std::string to_string(const Extents3& extents) {
  switch (extents.rank) {
    case 1: return fmt::format("({})", extents.x);
    case 2: return fmt::format("({}, {})", extents.x, extents.y);
    case 3: return fmt::format("({}, {}, {})", extents.x, extents.y, extents.z);
    default: return "(not given)";
  }
}

}  // namespace mylos::inline MYLOS_ABI
