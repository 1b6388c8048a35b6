// SPDX-License-Identifier: MIT
// Every device header compiles alone, and twice, as kernel text: by NVRTC as C++17 and C++20 with and without
// MYLOS_DEBUG, without a warning and without any include path; and for the emulator. (Host compilers: tests/headers.)
#include <string>

#include <gtest/gtest.h>

#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/headers.hpp>

#include "support/nvrtc_test.hpp"

namespace mylos_test {
namespace {

std::string text_with(std::string_view header) {
  const std::string line = "#include <" + std::string(header) + ">\n";
  return line + line + "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] = 1; }\n";
}

using DeviceHeadersUnderNvrtc = NvrtcTest<>;

TEST_F(DeviceHeadersUnderNvrtc, CompileAlone) {
  for (const auto& header : mylos::jit::device_headers()) {
    for (const char* dialect : {"-std=c++17", "-std=c++20"}) {
      for (const char* debug : {"-DMYLOS_DEBUG", "-UMYLOS_DEBUG"}) {
        const auto result = mylos::cuda::Nvrtc::require().compile({.text = text_with(header.name),
                                                                   .file_name = "k.cu",
                                                                   .options = {"-arch=compute_80", dialect, debug},
                                                                   .headers = mylos::jit::nvrtc_headers(),
                                                                   .name_expressions = {}});
        EXPECT_TRUE(result.compiled) << header.name << " " << dialect << "\n" << result.log;
        EXPECT_EQ(result.log, "") << header.name << " " << dialect;
      }
    }
  }
}

TEST(DeviceHeadersUnderTheEmulator, CompileAlone) {
  for (const auto& header : mylos::jit::device_headers()) {
    for (const char* debug : {"-DMYLOS_DEBUG", "-UMYLOS_DEBUG"}) {
      EXPECT_NO_THROW(static_cast<void>(
          mylos::emulator::compile({.text = text_with(header.name), .name = "k", .options = {debug}})))
          << header.name << " " << debug;
    }
  }
}

}  // namespace
}  // namespace mylos_test
