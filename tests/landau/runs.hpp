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

/// Within 2 % of Landau's damping rate, of which the program allows 5 % in three dimensions, and 1 % of his frequency.
inline ::testing::AssertionResult is_near_theory(const landau::Options& options, const landau::RunData& data) {
  const landau::Report report = landau::judge(options, data);
  const double rate_error = report.rate_error.value_or(1.0);
  const double frequency_error = report.frequency_error.value_or(1.0);
  if (rate_error < 0.02 && frequency_error < 0.01) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "seed " << options.seed << ": the rate is off by " << rate_error
                                       << ", the frequency by " << frequency_error;
}

/// Both backends, for tests that are the same on either.
class OnBackend : public ::testing::TestWithParam<mylos::Backend> {};

inline auto both_backends() { return ::testing::Values(mylos::Backend::host, mylos::Backend::emulated); }

inline std::string backend_name(const ::testing::TestParamInfo<mylos::Backend>& info) {
  return std::string(mylos::to_string(info.param));
}

}  // namespace mylos_test
