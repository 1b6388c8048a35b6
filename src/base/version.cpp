// SPDX-License-Identifier: MIT
#include <mylos/base/version.hpp>

#include <array>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/version_numbers.hpp>

namespace mylos::inline MYLOS_ABI {
namespace {

std::array<int, 3> parse(std::string_view text) {
  std::array<int, 3> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [stop, code] = std::from_chars(at, end, numbers.at(i));
    if (code != std::errc() || numbers.at(i) < 0) break;
    if (stop == end) return numbers;
    if (*stop != '.') break;
    at = stop + 1;
  }
  throw ValueError(fmt::format("'{}' is no version: it has to be compared by numbers: write 1, 1.2 or 1.2.3", text));
}

}  // namespace

std::string_view version() { return MYLOS_VERSION_STRING; }

void require_version(std::string_view at_least) {
  if (parse(version()) < parse(at_least)) {
    throw VersionError(fmt::format("Mylos {} is too old: the program asks for {} or newer: install a newer Mylos",
                                   version(), at_least));
  }
}

}  // namespace mylos::inline MYLOS_ABI
