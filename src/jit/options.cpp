// SPDX-License-Identifier: MIT
#include "jit/options.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

// What stands behind `name` in the option itself: empty when the value is the next word, nothing for another option.
std::optional<std::string_view> value_in(std::string_view option, std::string_view name) {
  if (!option.starts_with(name)) return std::nullopt;
  option.remove_prefix(name.size());
  const bool is_short = name.size() == 2;
  if (!option.empty() && option.front() == '=') return option.substr(1);
  if (option.empty() || is_short) return option;
  return std::nullopt;
}

}  // namespace

std::vector<std::string> values_of_option(std::span<const std::string> options,
                                          std::initializer_list<std::string_view> names) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string_view name : names) {
      const auto value = value_in(options[i], name);
      if (!value) continue;
      if (!value->empty()) {
        values.emplace_back(*value);
      } else if (i + 1 < options.size()) {
        values.push_back(options[++i]);
      }
      break;
    }
  }
  return values;
}

std::vector<std::string> obstacles_in(std::span<const std::string> options) {
  static constexpr std::array<std::string_view, 5> words = {"pch", "options-file", "optf", "time", "trace"};
  std::vector<std::string> obstacles;
  for (const std::string& option : options) {
    const std::string_view name = std::string_view(option).substr(0, option.find('='));
    const bool is_macro_or_folder = name.starts_with("-D") || name.starts_with("-I") || name.starts_with("-U");
    const auto is_in_name = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (!name.starts_with('-') || is_macro_or_folder || std::ranges::none_of(words, is_in_name)) continue;
    obstacles.push_back(fmt::format("option {} reads or writes files of its own", option));
  }
  return obstacles;
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
