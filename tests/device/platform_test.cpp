// SPDX-License-Identifier: MIT
#include <mylos/device/platform.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/cuda/nvrtc.hpp>
#include <mylos/jit/headers.hpp>

#include "device/emulated.hpp"
#include "support/nvrtc_test.hpp"

namespace mylos_test {
namespace {

// One definition for both sides: what MYLOS_FUNCTION is for.
constexpr const char* shared_function = "MYLOS_FUNCTION inline int twice(int x) { return 2 * x; }\n";
MYLOS_FUNCTION inline int twice(int x) { return 2 * x; }

static_assert(MYLOS_IN_KERNEL_TEXT == 0, "this is host code");

const std::string kernel_text = "#include <mylos/device/platform.hpp>\nstatic_assert(MYLOS_IN_KERNEL_TEXT == 1);\n" +
                                std::string(shared_function) +
                                "extern \"C\" __global__ void k(int* x) { x[0] = twice(x[0]); }\n";

using PlatformUnderNvrtc = NvrtcTest<>;

TEST_F(PlatformUnderNvrtc, MarksFunctionsForTheDevice) {
  const auto result = mylos::cuda::Nvrtc::require().compile({.text = kernel_text,
                                                             .file_name = "k.cu",
                                                             .options = {"-arch=compute_80"},
                                                             .headers = mylos::jit::device_headers(),
                                                             .name_expressions = {}});
  EXPECT_TRUE(result.compiled) << result.log;
}

TEST(Platform, MarksFunctionsForTheEmulator) {
  const DeviceVector<int> x({21});
  run_emulated(kernel_text, "k", {}, x.data());
  EXPECT_EQ(x.values(), std::vector<int>{twice(21)});
}

}  // namespace
}  // namespace mylos_test
