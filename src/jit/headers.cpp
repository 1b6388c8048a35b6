// SPDX-License-Identifier: MIT
#include <mylos/jit/headers.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "jit/embedded.hpp"

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

std::vector<std::string> defined_macros(std::span<const std::string> options) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string_view macro = options[i];
    if (macro.starts_with("--define-macro")) {
      macro.remove_prefix(std::string_view("--define-macro").size());
      if (macro.starts_with('=')) macro.remove_prefix(1);
    } else if (macro.starts_with("-D")) {
      macro.remove_prefix(2);
    } else {
      continue;
    }
    if (macro.empty() && i + 1 < options.size()) macro = options[++i];
    macro = macro.substr(0, macro.find_first_of("=("));
    if (!macro.empty() && !macro.starts_with("MYLOS_")) names.emplace_back(macro);
  }
  return names;
}

std::string without_macros(std::string_view text, std::span<const std::string> macros) {
  if (macros.empty()) return std::string(text);
  std::string result;
  for (const std::string& name : macros) result += fmt::format("#pragma push_macro(\"{0}\")\n#undef {0}\n", name);
  result += fmt::format("#line 1\n{}\n", text);
  for (const std::string& name : macros) result += fmt::format("#pragma pop_macro(\"{}\")\n", name);
  return result;
}

}  // namespace mylos::inline MYLOS_ABI::jit
