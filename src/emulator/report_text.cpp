// SPDX-License-Identifier: MIT
// Findings for people.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/environment.hpp>
#include <mylos/emulator/finding.hpp>

namespace mylos::inline MYLOS_ABI::emulator {
namespace {

enum class Ink { title, frame, mark, note };

class Paint {
 public:
  explicit Paint(bool in_colour) : in_colour_(in_colour) {}

  [[nodiscard]] std::string operator()(Ink ink, std::string_view text) const {
    if (!in_colour_ || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code(ink), text);
  }

 private:
  static std::string_view code(Ink ink) {
    switch (ink) {
      case Ink::title: return "1;31";
      case Ink::frame: return "1;34";
      case Ink::mark: return "1;32";
      default: return "1;36";
    }
  }

  bool in_colour_;
};

std::string line(const Site& site) { return fmt::format("{}:{}", site.file, site.line); }

std::string place(const Site& site) {
  std::string text;
  if (site.block.given()) text += fmt::format(", block {}", to_string(site.block));
  if (site.thread.given()) text += fmt::format(", thread {}", to_string(site.thread));
  if (!site.file.empty()) text += ", at " + line(site);
  return text;
}

// The finding in one line, without what its text says already.
std::string title_of(const Finding& finding) {
  std::string text = fmt::format("kernel '{}'", finding.kernel);
  for (const Site& site : finding.sites) {
    const bool is_in_text = !site.file.empty() && finding.text.find(line(site)) != std::string::npos;
    if (!is_in_text) text += place(site);
  }
  return text + ": " + finding.text;
}

// "thread (1) of block (0) left 2.5 with order_seed 1", as far as it is known.
std::string who(const Site& site) {
  std::string text;
  if (site.thread.given()) text = fmt::format("thread {}", to_string(site.thread));
  if (site.block.given()) text += fmt::format("{}block {}", text.empty() ? "" : " of ", to_string(site.block));
  if (!site.value.empty()) text += fmt::format(" left {}", site.value);
  if (site.order_seed) text += fmt::format(" with order_seed {}", *site.order_seed);
  return text;
}

// Under a line: a caret at the column, or all of it.
std::string marks_under(const Site& site) {
  const auto first = std::min(site.source.find_first_not_of(" \t"), site.source.size());
  const auto column = static_cast<std::size_t>(std::max(site.column, 1)) - 1;
  const bool is_known = site.column > 0 && column < site.source.size();
  std::string marks = site.source.substr(0, is_known ? column : first);
  std::ranges::replace_if(marks, [](char c) { return c != '\t'; }, ' ');
  marks += '^';
  if (!is_known && site.source.size() > first + 1) marks.append(site.source.size() - first - 1, '~');
  return marks;
}

bool is_same_place(const Site& a, const Site& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

// Sites at the same place share its excerpt.
std::string excerpt_of(const std::vector<Site>& sites, const Paint& paint) {
  std::string text;
  for (std::size_t i = 0; i < sites.size();) {
    const Site& site = sites[i];
    std::vector<std::string> present;
    for (; i < sites.size() && is_same_place(sites[i], site); ++i) {
      if (std::string name = who(sites[i]); !name.empty()) present.push_back(std::move(name));
    }
    if (site.source.empty()) continue;
    const std::string number = fmt::to_string(site.line);
    const std::string margin(number.size(), ' ');
    const std::string column = site.column > 0 ? fmt::format(":{}", site.column) : "";
    text += fmt::format("\n {}{} {}{}", margin, paint(Ink::frame, "-->"), line(site), column);
    if (!present.empty()) text += fmt::format(": {}", fmt::join(present, "; "));
    text += fmt::format("\n {} {} {}", paint(Ink::frame, number), paint(Ink::frame, "|"), site.source);
    text += fmt::format("\n {} {} {}", margin, paint(Ink::frame, "|"), paint(Ink::mark, marks_under(site)));
  }
  return text;
}

std::string note(const Paint& paint, std::string_view name, std::string_view text) {
  return fmt::format("\n  {} {}", paint(Ink::note, fmt::format("= {}:", name)), text);
}

}  // namespace

std::string report_of(const std::vector<Finding>& findings, bool in_colour) {
  const Paint paint(in_colour);
  std::string text;
  std::set<Kind> explained;
  for (const Finding& finding : findings) {
    if (!text.empty()) text += '\n';
    text += paint(Ink::title, title_of(finding));
    const std::string excerpt = excerpt_of(finding.sites, paint);
    if (excerpt.empty()) continue;
    text += excerpt;
    if (finding.index.size() > 1) {
      text += note(paint, "element", fmt::format("{}({})", finding.label, fmt::join(finding.index, ", ")));
    }
    if (!explained.insert(finding.kind).second) continue;
    text += note(paint, to_string(finding.kind), explanation_of(finding.kind));
    text += note(paint, "what helps", remedy_of(finding.kind));
  }
  return text;
}

bool takes_colour(std::FILE* stream) noexcept {
  return !environment::text("NO_COLOR") && ::isatty(::fileno(stream)) == 1;
}

}  // namespace mylos::inline MYLOS_ABI::emulator
