// SPDX-License-Identifier: MIT
// Kernel texts that NVRTC must take for all architectures that Mylos is kept ready for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/cuda/nvrtc.hpp>
#include <mylos/jit/headers.hpp>

namespace mylos_test {

/// With machine code, so that the assembler has seen it as well, and without a warning. Skips where there is no NVRTC.
inline void compiles_for_every_architecture(const std::string& text,
                                            const std::vector<std::string>& options = {"-std=c++17"}) {
  if (mylos::cuda::Nvrtc::find() == nullptr) GTEST_SKIP() << mylos::cuda::Nvrtc::unavailable_reason();
  for (const char* architecture : {"sm_80", "sm_90", "sm_100"}) {
    std::vector<std::string> all{"-arch=" + std::string(architecture)};
    all.insert(all.end(), options.begin(), options.end());
    const auto result = mylos::cuda::Nvrtc::require().compile({.text = text,
                                                               .file_name = "k.cu",
                                                               .options = std::move(all),
                                                               .headers = mylos::jit::nvrtc_headers(),
                                                               .name_expressions = {}});
    EXPECT_TRUE(result.compiled) << architecture << "\n" << result.log;
    EXPECT_EQ(result.log, "") << architecture;
  }
}

}  // namespace mylos_test
