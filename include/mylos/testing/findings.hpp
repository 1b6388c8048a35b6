// SPDX-License-Identifier: MIT
// Kernels under the emulator's checks in a test.
#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/launch.hpp>
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

/// What is wrong where this thread has launched nothing on the emulated device, and backend() is host: a test that
/// passes all the same says nothing. Empty elsewhere: with backend emulated there may be no work, as of kernels of no
/// threads; on a GPU nothing can be checked, which is logged as a warning.
[[nodiscard]] MYLOS_EXPORT std::string nothing_was_checked();

/// findings_of(), or why nothing was checked, as the end of a sentence about `action`; empty where all is well.
template <class F>
std::string complaint_about(F&& action) {
  const auto before = emulator::checked_launches();
  const std::string found = findings_of(std::forward<F>(action));
  if (!found.empty()) return "has findings:\n" + found;
  return emulator::checked_launches() == before ? nothing_was_checked() : std::string();
}

}  // namespace mylos::inline MYLOS_ABI::testing

/// `MYLOS_EXPECT_NO_FINDINGS(kernel(x, y));` runs the statement under all checks and fails the test with what they
/// find, or because it ran on the host, where nothing is checked.
#define MYLOS_EXPECT_NO_FINDINGS(...)                                                      \
  do {                                                                                     \
    const auto mylos_complaint = ::mylos::testing::complaint_about([&] { __VA_ARGS__; });  \
    if (!mylos_complaint.empty()) ADD_FAILURE() << #__VA_ARGS__ << ' ' << mylos_complaint; \
  } while (false)
