// SPDX-License-Identifier: MIT
// Tests that need NVRTC: skipped with its reason where there is none.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <mylos/cuda/nvrtc.hpp>
#include <mylos/jit/compiler.hpp>

namespace mylos_test {

/// Whether a text includes headers of the CUDA toolkit, such as <cuda_fp16.h>, that NVRTC cannot find here.
inline bool lacks_toolkit_headers(std::string_view text) {
  const bool asks = text.find("#include <cu") != std::string_view::npos ||
                    text.find("#include <cooperative_groups") != std::string_view::npos;
  if (!asks) return false;
  const auto options = mylos::jit::NvrtcCompiler().options_for({.text = {}, .name = {}, .architecture = "sm_90"});
  return std::ranges::none_of(options, [](const std::string& option) { return option.starts_with("-I"); });
}

/// Base: ::testing::Test, or ::testing::TestWithParam<...>.
template <class Base = ::testing::Test>
class NvrtcTest : public Base {
 protected:
  void SetUp() override {
    if (mylos::cuda::Nvrtc::find() == nullptr) GTEST_SKIP() << mylos::cuda::Nvrtc::unavailable_reason();
  }
};

}  // namespace mylos_test
