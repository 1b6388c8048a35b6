// SPDX-License-Identifier: MIT
#include <mylos/jit/headers.hpp>

#include <algorithm>
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

std::vector<std::string> defined_macros(std::span<const std::string> options) {
  std::vector<std::string> names;
  for (const std::string& macro : detail::values_of_option(options, {"-D", "--define-macro"})) {
    std::string name = macro.substr(0, macro.find_first_of("=("));
    if (!name.empty() && !name.starts_with("MYLOS_")) names.push_back(std::move(name));
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
