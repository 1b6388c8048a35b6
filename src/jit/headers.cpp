// SPDX-License-Identifier: MIT
#include <mylos/jit/headers.hpp>

#include <algorithm>
#include <cctype>
#include <regex>
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

}  // namespace

std::span<const NamedText> device_headers() { return nvrtc_headers().first(number_of_device_headers()); }

std::span<const NamedText> standard_headers() { return nvrtc_headers().subspan(number_of_device_headers()); }

std::span<const NamedText> nvrtc_headers() { return detail::embedded_headers; }

std::vector<OptionMacro> defined_macros(std::span<const std::string> options, std::string_view text) {
  std::vector<OptionMacro> macros;
  for (std::string macro : detail::values_of_option(options, {"-D", "--define-macro"})) {
    const std::string name = macro.substr(0, macro.find_first_of("=("));
    if (name.empty() || name.starts_with("MYLOS_")) continue;
    const std::regex own("#[ \t]*(define|undef)[ \t]+" + name + "\\b");  // NOLINT: a name is letters and digits
    if (std::regex_search(text.begin(), text.end(), own)) continue;
    const std::size_t equals = macro.find('=');
    if (equals == std::string::npos) {
      macro += " 1";
    } else {
      macro[equals] = ' ';
    }
    macros.push_back({name, std::move(macro)});
  }
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
