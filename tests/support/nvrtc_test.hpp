// SPDX-License-Identifier: MIT
// Tests that need NVRTC: skipped with its reason where there is none.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>
#include <mylos/cuda/nvrtc.hpp>
#include <mylos/jit/compiler.hpp>

namespace mylos_test {

/// "13" of 13.0: the toolkit whose headers are in a folder; 0 where none are.
inline int toolkit_of(const std::string& folder) {
  const std::string file = folder + "/cuda.h", name = "#define CUDA_VERSION ";
  if (!std::filesystem::exists(file)) return 0;
  const std::string text = mylos::read_file(file);
  const auto at = text.find(name);
  return at == std::string::npos ? 0 : std::stoi(text.substr(at + name.size())) / 1000;
}

/// Whether a text includes headers of the CUDA toolkit, such as <cuda_fp16.h>, that NVRTC cannot find here, or
/// <cuda/...> and the like of a newer one, which include what an older NVRTC cannot read.
inline bool lacks_toolkit_headers(std::string_view text) {
  const bool asks = text.find("#include <cu") != std::string_view::npos ||
                    text.find("#include <cooperative_groups") != std::string_view::npos;
  if (!asks) return false;
  const auto options = mylos::jit::NvrtcCompiler().options_for({.text = {}, .name = {}, .architecture = "sm_90"});
  bool finds_headers = false;
  int newest = 0;
  for (const std::string& option : options) {
    if (!option.starts_with("-I")) continue;
    finds_headers = true;
    newest = std::max(newest, toolkit_of(option.substr(2)));
  }
  const bool is_of_newer = newest > mylos::cuda::Nvrtc::find()->major();
  const bool in_folder = text.find("#include <cuda/") != std::string_view::npos ||
                         text.find("#include <cooperative_groups/") != std::string_view::npos;
  return !finds_headers || (is_of_newer && in_folder);
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
