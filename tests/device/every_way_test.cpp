// SPDX-License-Identifier: MIT
// Every device header compiles alone, and twice, as kernel text: by NVRTC for all architectures as C++17 and C++20 with
// and without MYLOS_DEBUG, without a warning and without any include path; and for the emulator. (Host compilers:
// tests/headers.)
#include <string>

#include <gtest/gtest.h>

#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/headers.hpp>

#include "device/every_architecture.hpp"
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
    for (const char* standard : {"c++17", "c++20"}) {
      for (const char* debug : {"-DMYLOS_DEBUG", "-UMYLOS_DEBUG"}) {
        SCOPED_TRACE(std::string(header.name) + " " + standard + " " + debug);
        compiles_for_every_architecture(text_with(header.name), {"-std=" + std::string(standard), debug});
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
