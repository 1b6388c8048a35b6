// SPDX-License-Identifier: MIT
#include "jit/options.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace mylos::inline MYLOS_ABI::jit::detail {

std::optional<std::string> value_of_option(std::string_view name, std::span<const std::string> options,
                                           std::size_t& at) {
  std::string_view value = options[at];
  if (!value.starts_with(name)) return std::nullopt;
  value.remove_prefix(name.size());
  if (value.empty()) return at + 1 < options.size() ? options[++at] : std::string();
  if (value.front() == '=') return std::string(value.substr(1));
  const bool is_short = name.size() == 2;
  return is_short ? std::optional<std::string>(value) : std::nullopt;
}

std::vector<std::string> values_of_option(std::span<const std::string> options,
                                          std::initializer_list<std::string_view> names) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string_view name : names) {
      auto value = value_of_option(name, options, i);
      if (!value) continue;
      if (!value->empty()) values.push_back(std::move(*value));
      break;
    }
  }
  return values;
}

std::vector<OptionMacro> macros_in(std::span<const std::string> options) {
  std::vector<OptionMacro> macros;
  const auto forget = [&macros](std::string_view name) {
    std::erase_if(macros, [name](const OptionMacro& macro) { return macro.name == name; });
  };
  const auto define = [&](std::string macro) {
    std::string name = macro.substr(0, macro.find_first_of("=("));
    if (name.empty()) return;
    const std::size_t equals = macro.find('=');
    if (equals == std::string::npos) {
      macro += " 1";
    } else {
      macro[equals] = ' ';
    }
    forget(name);
    macros.push_back({std::move(name), std::move(macro)});
  };
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string_view name : {"-D", "--define-macro", "-U", "--undefine-macro"}) {
      auto value = value_of_option(name, options, i);
      if (!value) continue;
      if (name == "-D" || name == "--define-macro") {
        define(std::move(*value));
      } else {
        forget(*value);
      }
      break;
    }
  }
  return macros;
}

std::string definitions_in(std::span<const std::string> options) {
  std::string lines;
  for (const OptionMacro& macro : macros_in(options)) lines += fmt::format("#define {}\n", macro.definition);
  return lines;
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
