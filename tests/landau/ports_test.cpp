// SPDX-License-Identifier: MIT
// The ports of the example: all there, with signatures that can be called, and accepted by the real compiler.
#include <gtest/gtest.h>
#include <landau_kernels.hpp>

#include <mylos/base/error.hpp>

namespace mylos_test {
namespace {

const mylos::KernelCatalog& catalog() { return landau::kernels::catalog(); }

TEST(LandauPorts, EveryKernelHasOne) {
  EXPECT_TRUE(catalog().without_cuda().empty()) << catalog().summary();
  EXPECT_EQ(catalog().names().size(), 11U);
  EXPECT_NO_THROW(catalog().check_signatures());
}

class LandauPortsFor : public ::testing::TestWithParam<const char*> {};

TEST_P(LandauPortsFor, CompileByNvrtc) {
  try {
    EXPECT_EQ(catalog().compile_all({.arch = GetParam()}), 11);
  } catch (const mylos::BackendError& error) {
    GTEST_SKIP() << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, LandauPortsFor, ::testing::Values("sm_80", "sm_90", "sm_100"));

}  // namespace
}  // namespace mylos_test
