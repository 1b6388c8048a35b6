// SPDX-License-Identifier: MIT
#include <mylos/emulator/finding.hpp>

#include <array>
#include <utility>

#include <fmt/format.h>

namespace mylos::inline MYLOS_ABI {
namespace {

std::string line(const emulator::Site& site) { return fmt::format("{}:{}", site.file, site.line); }

std::string place(const emulator::Site& site) {
  std::string text;
  if (site.block.given()) text += fmt::format(", block {}", to_string(site.block));
  if (site.thread.given()) text += fmt::format(", thread {}", to_string(site.thread));
  if (!site.file.empty()) text += ", at " + line(site);
  return text;
}

std::string message(const std::vector<emulator::Finding>& findings) {
  std::string text;
  for (const emulator::Finding& finding : findings) {
    if (!text.empty()) text += '\n';
    text += fmt::format("kernel '{}'", finding.kernel);
    for (const emulator::Site& site : finding.sites) {
      const bool is_in_text = !site.file.empty() && finding.text.find(line(site)) != std::string::npos;
      if (!is_in_text) text += place(site);
    }
    text += ": " + finding.text;
  }
  return text;
}

}  // namespace

namespace emulator {

std::string_view to_string(Kind kind) noexcept {
  constexpr std::array<std::string_view, 10> names{"memory",       "race",      "barrier",    "initialisation",
                                                   "thread_order", "alignment", "arithmetic", "assertion",
                                                   "deadlock",     "crash"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace emulator

EmulationError::EmulationError(std::vector<emulator::Finding> findings, std::source_location where)
    : Error(message(findings), where), findings_(std::move(findings)) {}

}  // namespace mylos::inline MYLOS_ABI
