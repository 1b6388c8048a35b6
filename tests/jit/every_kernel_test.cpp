// SPDX-License-Identifier: MIT
// NVRTC compiles every .cu of the source tree, for every architecture that Mylos promises, and finds the parameters
// that were read of its text. A folder named "invalid" holds texts that must not compile.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/signature.hpp>

#include "support/nvrtc_test.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> cuda_files() {
  std::vector<fs::path> files;
  for (const char* folder : {"kernels", "examples", "tests", "perf"}) {
    const fs::path root = fs::path(MYLOS_SOURCE_FOLDER) / folder;
    if (!fs::is_directory(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const fs::path& file = entry.path();
      const bool invalid = std::ranges::find(file, "invalid") != file.end();
      if (file.extension() == ".cu" && !invalid) files.push_back(file);
    }
  }
  std::ranges::sort(files);
  return files;
}

class EveryKernel : public NvrtcTest<::testing::TestWithParam<std::string>> {};

TEST_P(EveryKernel, Compiles) {
  const mylos::jit::NvrtcCompiler compiler;
  const auto files = cuda_files();
  if (files.empty()) GTEST_SKIP() << "there is no .cu file in " << MYLOS_SOURCE_FOLDER;
  std::size_t compiled_files = 0;
  for (const fs::path& file : files) {
    const std::string text = mylos::read_file(file);
    if (lacks_toolkit_headers(text)) {
      std::cout << "left out, since NVRTC has not the toolkit's headers that it includes: " << file.string() << "\n";
      continue;
    }
    ++compiled_files;
    const auto names = mylos::jit::kernel_names(text);
    EXPECT_FALSE(names.empty()) << file << " has no kernel";
    for (const std::string& name : names) {
      SCOPED_TRACE(name + " of " + file.string());
      const auto compiled =
          compiler.compile({.text = text, .name = name, .file = file.string(), .architecture = GetParam()});
      const auto signature = mylos::jit::parse_signature(text, name);
      EXPECT_EQ(compiled.parameters.size(), signature.parameters.size());
      EXPECT_NO_THROW(mylos::jit::confirm_types(signature, compiled.parameters));
      if (!compiled.log.empty()) std::cout << compiled.log;
    }
  }
  std::cout << compiled_files << " of " << files.size() << " files for " << GetParam() << "\n";
  EXPECT_GT(compiled_files, 0U);
}

INSTANTIATE_TEST_SUITE_P(Architectures, EveryKernel, ::testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace mylos_test
