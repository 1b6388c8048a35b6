// SPDX-License-Identifier: MIT
#include "emulator/shared_zones.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// What stands behind a directive, without blanks around it; empty where the line is another one.
std::string_view behind(std::string_view line, std::string_view directive) {
  constexpr std::string_view blanks = " \t\n";
  const auto start = line.find_first_not_of(blanks);
  if (start == std::string_view::npos || !line.substr(start).starts_with(directive)) return {};
  std::string_view rest = line.substr(start + directive.size());
  if (rest.find_first_of(blanks) != 0) return {};
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  return rest.substr(0, rest.find_last_not_of(blanks) + 1);
}

template <std::size_t n>
bool begins_with_any(std::string_view line, const std::array<std::string_view, n>& directives) {
  return std::ranges::any_of(directives, [&](std::string_view name) { return !behind(line, name).empty(); });
}

// What variables without a value are made of: g++ writes .zero, clang++ the others too, for single numbers.
bool is_content(std::string_view line) {
  constexpr std::array<std::string_view, 6> directives{".zero", ".quad", ".long", ".short", ".value", ".byte"};
  return begins_with_any(line, directives);
}
bool is_alignment(std::string_view line) {
  constexpr std::array<std::string_view, 3> directives{".align", ".balign", ".p2align"};
  return begins_with_any(line, directives);
}
bool is_label(std::string_view line) {
  return std::isspace(static_cast<unsigned char>(line.front())) == 0 && line.front() != '#' &&
         line.find(':') != std::string_view::npos;
}

enum class Section { thread_local_zeros, variables, other };

// `.tbss.name,"awT",@nobits`: the flags have a T; those of values that may be merged an M.
Section section_of(std::string_view section) {
  const auto open = section.find('"');
  const auto close = section.find('"', open + 1);
  const bool has_flags = close != std::string_view::npos;
  const std::string_view flags = has_flags ? section.substr(open, close - open) : std::string_view();
  const auto has = [&](char flag) { return flags.find(flag) != std::string_view::npos; };
  const auto begins = [&](std::string_view name) { return section.starts_with(name); };
  if (has('T'))
    return section.find("nobits", close) != std::string_view::npos ? Section::thread_local_zeros : Section::other;
  const bool of_variables = begins(".data") || begins(".bss") || begins(".rodata");
  return of_variables && !has('M') ? Section::variables : Section::other;
}

class Zones {
 public:
  explicit Zones(std::size_t expected) { text_.reserve(expected + expected / 64); }

  void add(std::string_view line) {
    enter_section(line);
    if (const auto common = behind(line, ".comm"); !common.empty()) return add_common(line, common);
    if (section_ == Section::variables) add_in_front_of_variable(line);
    text_ += line;
    if (section_ == Section::thread_local_zeros && is_content(line)) add_zone();
  }
  std::string finish() {
    if (section_ == Section::variables) add_zone();
    return std::move(text_);
  }

 private:
  void add_zone() { text_ += fmt::format("\t.zero\t{}\n", zone_between_arrays); }

  void enter_section(std::string_view line) {
    const bool is_short = line.starts_with("\t.text") || line.starts_with("\t.data") || line.starts_with("\t.bss");
    const std::string_view section = is_short ? line.substr(1) : behind(line, ".section");
    if (section.empty()) return;
    if (section_ == Section::variables) add_zone();  // behind its last one
    section_ = section_of(section);
    alignment_.clear();
  }

  // How it is aligned stands before its name.
  void add_in_front_of_variable(std::string_view line) {
    if (is_alignment(line)) alignment_ = line;
    if (!is_label(line)) return;
    add_zone();
    text_ += alignment_;
    alignment_.clear();
  }

  // `name,size,alignment`: the assembler alone would say where it lies.
  void add_common(std::string_view line, std::string_view common) {
    const auto first = common.find(','), second = common.find(',', first + 1);
    if (second == std::string_view::npos) {
      text_ += line;
      return;
    }
    const std::string_view name = common.substr(0, first), bytes = common.substr(first + 1, second - first - 1);
    text_ += "\t.pushsection\t.bss\n";
    add_zone();
    text_ += fmt::format("\t.balign\t{}\n\t.type\t{}, %object\n\t.size\t{}, {}\n{}:\n\t.zero\t{}\n\t.popsection\n",
                         common.substr(second + 1), name, name, bytes, name, bytes);
  }

  std::string text_;
  Section section_ = Section::other;
  std::string alignment_;  // the last one asked for
};

}  // namespace

std::string with_zones(std::string_view assembler) {
  Zones zones(assembler.size());
  while (!assembler.empty()) {
    const auto length = std::min(assembler.find('\n'), assembler.size() - 1) + 1;
    zones.add(assembler.substr(0, length));
    assembler.remove_prefix(length);
  }
  return zones.finish();
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
