// SPDX-License-Identifier: MIT
// The inputs that fuzzing found worth keeping, in every build: fuzzing itself needs clang.
#include "jit/signature_fuzz.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>

namespace mylos_test {
namespace {

TEST(SignatureFuzz, KeptInputsAreRead) {
  int inputs = 0;
  for (const auto& input : std::filesystem::directory_iterator(MYLOS_SOURCE_FOLDER "/tests/jit/signature_corpus")) {
    const std::string bytes = mylos::read_file(input.path());
    std::printf("%s\n", input.path().filename().c_str());  // the last one is the one that stops the program
    EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
    ++inputs;
  }
  EXPECT_GE(inputs, 20);
}

}  // namespace
}  // namespace mylos_test
