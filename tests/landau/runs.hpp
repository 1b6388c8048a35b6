// SPDX-License-Identifier: MIT
// Runs of the example inside a test, on a backend of choice.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <mylos/core/backend.hpp>

#include "options.hpp"
#include "report.hpp"
#include "simulation.hpp"

namespace mylos_test {

inline landau::RunData run_on(mylos::Backend backend, const landau::Options& options) {
  const mylos::ScopedBackend scope(backend);
  landau::validate(options);
  return landau::simulate(options);
}

/// Every check of the run passed; else the sentences that the program would print.
inline ::testing::AssertionResult passes(const landau::Options& options, const landau::RunData& data) {
  const landau::Report report = landau::judge(options, data);
  ::testing::AssertionResult result =
      report.passed() ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << "seed " << options.seed;
  for (const std::string& sentence : landau::failures(options, report)) result << "\n" << sentence;
  return result;
}

/// Both backends, for tests that are the same on either.
class OnBackend : public ::testing::TestWithParam<mylos::Backend> {};

inline auto both_backends() { return ::testing::Values(mylos::Backend::host, mylos::Backend::emulated); }

inline std::string backend_name(const ::testing::TestParamInfo<mylos::Backend>& info) {
  return std::string(mylos::to_string(info.param));
}

}  // namespace mylos_test
