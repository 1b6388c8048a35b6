// SPDX-License-Identifier: MIT
// Tests of environment variables that are read once: each in a process of its own.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "support/child.hpp"

namespace mylos_test {

// Unlike 0 no status that a program ends with when no test ran.
inline constexpr int passed_alone = 42;

/// Runs one test of this program, which is DISABLED_ otherwise and ends with end_alone(), in a new process.
inline int run_alone(const std::string& test, const char* variable, const char* value) {
  return Child([&] {
           ::setenv(variable, value, 1);
           const std::string filter = "--gtest_filter=" + test;
           ::execl("/proc/self/exe", "test", filter.c_str(), "--gtest_also_run_disabled_tests", nullptr);
           throw std::runtime_error("cannot run this program again");
         })
      .wait();
}

[[noreturn]] inline void end_alone() { ::_exit(::testing::Test::HasFailure() ? 1 : passed_alone); }

}  // namespace mylos_test
