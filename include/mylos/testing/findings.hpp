// SPDX-License-Identifier: MIT
// Kernels under the emulator's checks in a test.
#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

namespace mylos::inline MYLOS_ABI::testing {

/// What the emulator's checks, all of them, find in the launches that `action` makes on the emulated device: the text
/// of the EmulationError, empty for nothing. Other exceptions of `action` go through.
///
/// Launches on a real device are not checked. Cost: checked launches take up to some hundred times as long as others
/// (perf/README.md).
template <class F>
std::string findings_of(F&& action) {
  const auto scope = emulator::with({.checks = emulator::all_checks()});
  try {
    std::forward<F>(action)();
  } catch (const EmulationError& error) {
    return error.what();
  }
  return {};
}

}  // namespace mylos::inline MYLOS_ABI::testing

/// `MYLOS_EXPECT_NO_FINDINGS(kernel(x, y));` runs the statement under all checks and fails the test with what they
/// find.
#define MYLOS_EXPECT_NO_FINDINGS(...)                                                                   \
  do {                                                                                                  \
    const auto mylos_findings = ::mylos::testing::findings_of([&] { __VA_ARGS__; });                    \
    if (!mylos_findings.empty()) ADD_FAILURE() << #__VA_ARGS__ << " has findings:\n" << mylos_findings; \
  } while (false)
