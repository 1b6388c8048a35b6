// SPDX-License-Identifier: MIT
#include "base/texts.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mylos::inline MYLOS_ABI::detail {

std::string tuple_text(std::span<const std::int64_t> numbers) { return fmt::format("({})", fmt::join(numbers, ", ")); }

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? text.get() : name;
}

std::string system_reason(int code) { return std::generic_category().message(code); }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace mylos::inline MYLOS_ABI::detail
