// SPDX-License-Identifier: MIT
#include "emulator/shared_zones.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

bool begins_with_directive(std::string_view line, std::string_view directive) {
  const auto start = line.find_first_not_of(" \t");
  return start != std::string_view::npos && line.substr(start).starts_with(directive) &&
         line.substr(start + directive.size()).find_first_of(" \t") == 0;
}

// What variables without a value are made of: g++ writes .zero, clang++ the others too, for single numbers.
bool is_content(std::string_view line) {
  constexpr std::array<std::string_view, 6> directives{".zero", ".quad", ".long", ".short", ".value", ".byte"};
  return std::ranges::any_of(directives, [&](std::string_view name) { return begins_with_directive(line, name); });
}

// `.section .tbss.name,"awT",@nobits`: the flags have a T.
bool is_thread_local(std::string_view section) {
  const auto open = section.find('"');
  const auto close = section.find('"', open + 1);
  return close != std::string_view::npos && section.substr(open, close - open).find('T') != std::string_view::npos &&
         section.find("nobits", close) != std::string_view::npos;
}

}  // namespace

std::string with_zones(std::string_view assembler) {
  std::string result;
  result.reserve(assembler.size() + assembler.size() / 64);
  bool in_thread_local = false;
  while (!assembler.empty()) {
    const auto length = std::min(assembler.find('\n'), assembler.size() - 1) + 1;
    const std::string_view line = assembler.substr(0, length);
    assembler.remove_prefix(length);
    if (begins_with_directive(line, ".section")) {
      in_thread_local = is_thread_local(line);
    } else if (line.starts_with("\t.text") || line.starts_with("\t.data") || line.starts_with("\t.bss")) {
      in_thread_local = false;
    }
    result += line;
    if (in_thread_local && is_content(line)) {
      result += fmt::format("\t.zero\t{}\n", zone_between_arrays);
    }
  }
  return result;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
