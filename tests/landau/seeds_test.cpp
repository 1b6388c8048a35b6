// SPDX-License-Identifier: MIT
// Twenty seeds of each run that the program has settings for. Slow.
#include <gtest/gtest.h>

#include "runs.hpp"

namespace mylos_test {
namespace {

INSTANTIATE_TEST_SUITE_P(TwentySeeds, OnBackend, both_backends(), backend_name);

void expect_twenty_seeds(mylos::Backend backend, landau::Options options) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    options.seed = seed;
    const landau::RunData data = run_on(backend, options);
    EXPECT_TRUE(passes(options, data));
    if (options.controlled()) {
      EXPECT_TRUE(is_near_theory(options, data));
    }
  }
}

TEST_P(OnBackend, Wave1D) { expect_twenty_seeds(GetParam(), landau::options_for(landau::Mode::landau)); }
TEST_P(OnBackend, Wave3D) { expect_twenty_seeds(GetParam(), landau::options_for(landau::Mode::landau, 3)); }
TEST_P(OnBackend, Wave1DFullF) { expect_twenty_seeds(GetParam(), landau::options_for(landau::Mode::landau, 1, true)); }
TEST_P(OnBackend, Wave1DSpectral) {
  landau::Options options = landau::options_for(landau::Mode::landau);
  options.field_operator = landau::FieldOperator::spectral;
  expect_twenty_seeds(GetParam(), options);
}
TEST_P(OnBackend, Wave3DFullF) { expect_twenty_seeds(GetParam(), landau::options_for(landau::Mode::landau, 3, true)); }
TEST_P(OnBackend, TwoStream) { expect_twenty_seeds(GetParam(), landau::options_for(landau::Mode::two_stream)); }
TEST_P(OnBackend, ColdPlasma) { expect_twenty_seeds(GetParam(), landau::options_for(landau::Mode::cold_plasma)); }

}  // namespace
}  // namespace mylos_test
