// SPDX-License-Identifier: MIT
// Tests that need NVRTC: skipped with its reason where there is none.
#pragma once

#include <gtest/gtest.h>

#include <mylos/cuda/nvrtc.hpp>

namespace mylos_test {

/// Base: ::testing::Test, or ::testing::TestWithParam<...>.
template <class Base = ::testing::Test>
class NvrtcTest : public Base {
 protected:
  void SetUp() override {
    if (mylos::cuda::Nvrtc::find() == nullptr) GTEST_SKIP() << mylos::cuda::Nvrtc::unavailable_reason();
  }
};

}  // namespace mylos_test
