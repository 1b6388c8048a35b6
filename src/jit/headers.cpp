// SPDX-License-Identifier: MIT
#include <mylos/jit/headers.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "jit/embedded.hpp"
#include "jit/options.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

std::size_t number_of_device_headers() {
  const auto is_ours = [](const NamedText& header) { return header.name.starts_with("mylos/"); };
  return static_cast<std::size_t>(std::ranges::count_if(nvrtc_headers(), is_ours));
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Takes the word that a text ends with off it; blanks behind it, and parentheses, do not count.
std::string_view take_last_word(std::string_view& text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '(')) text.remove_suffix(1);
  const std::string_view whole = text;
  while (!text.empty() && is_of_word(text.back())) text.remove_suffix(1);
  return whole.substr(text.size());
}

// Whether the text itself says what the macro is. A default under #ifndef does not: the option's definition is the one.
bool changes(std::string_view text, std::string_view name) {
  bool defines = false, asks = false;
  for (std::size_t place = text.find(name); place != std::string_view::npos; place = text.find(name, place + 1)) {
    const std::size_t end = place + name.size();
    if (end < text.size() && is_of_word(text[end])) continue;
    std::string_view before = text.substr(0, place);
    const std::string_view word = take_last_word(before);
    asks |= word == "ifndef" || word == "defined";
    while (!before.empty() && (before.back() == ' ' || before.back() == '\t')) before.remove_suffix(1);
    if (!before.ends_with('#')) continue;
    if (word == "undef") return true;
    defines |= word == "define";
  }
  return defines && !asks;
}

}  // namespace

std::span<const NamedText> device_headers() { return nvrtc_headers().first(number_of_device_headers()); }

std::span<const NamedText> standard_headers() { return nvrtc_headers().subspan(number_of_device_headers()); }

std::span<const NamedText> nvrtc_headers() { return detail::embedded_headers; }

std::vector<OptionMacro> defined_macros(std::span<const std::string> options) {
  std::vector<OptionMacro> macros = detail::macros_in(options);
  std::erase_if(macros, [](const OptionMacro& macro) { return macro.name.starts_with("MYLOS_"); });
  return macros;
}

std::vector<OptionMacro> unchanged_by(std::string_view text, const IncludeFolders& folders,
                                      std::span<const NamedText> embedded, std::vector<OptionMacro> macros) {
  if (macros.empty()) return macros;
  const std::vector<IncludedFile> included = included_files(text, folders, embedded);
  std::erase_if(macros, [&](const OptionMacro& macro) {
    const auto changes_it = [&macro](const IncludedFile& file) { return changes(file.text, macro.name); };
    return changes(text, macro.name) || std::ranges::any_of(included, changes_it);
  });
  return macros;
}

std::string without_macros(const NamedText& header, std::span<const OptionMacro> macros) {
  if (macros.empty()) return std::string(header.text);
  std::string file(header.name);
  std::ranges::replace_if(file, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  // By plain conditions: NVRTC does not know #pragma push_macro. A macro that is off already, because another header
  // includes this one, stays off.
  std::string before, after;
  for (const auto& [name, definition] : macros) {
    const std::string flag = fmt::format("MYLOS_WITHOUT_{}_IN_{}", name, file);
    before += fmt::format("#ifdef {0}\n#define {1}\n#undef {0}\n#endif\n", name, flag);
    after += fmt::format("#ifdef {0}\n#undef {0}\n#define {1}\n#endif\n", flag, definition);
  }
  return fmt::format("{}#line 1\n{}\n{}", before, header.text, after);
}

}  // namespace mylos::inline MYLOS_ABI::jit
