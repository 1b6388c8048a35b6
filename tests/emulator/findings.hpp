// SPDX-License-Identifier: MIT
// Findings as a text, for tests that fail.
#pragma once

#include <string>
#include <vector>

#include <mylos/emulator/finding.hpp>

namespace mylos_test {

inline std::string told(const std::vector<mylos::emulator::Finding>& findings) {
  std::string text;
  for (const mylos::emulator::Finding& finding : findings) {
    text += std::string(to_string(finding.kind)) + ": " + finding.text + '\n';
    for (const auto& site : finding.sites) text += "    at " + site.file + ":" + std::to_string(site.line) + '\n';
  }
  return text;
}

}  // namespace mylos_test
