// SPDX-License-Identifier: MIT
#include <mylos/core/view_traits.hpp>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::detail {

void throw_different_spaces(std::span<const Place> places) {
  std::string list;
  for (const Place& place : places) {
    list += fmt::format("{}'{}' in {}", list.empty() ? "" : ", ", place.label, place.space);
  }
  throw SpaceError(
      fmt::format("Views are in different memory spaces: {}: they cannot be used together: bring them to one side with "
                  "mylos::to_host, mylos::to_device or mylos::copy_to",
                  list));
}

}  // namespace mylos::inline MYLOS_ABI::detail
