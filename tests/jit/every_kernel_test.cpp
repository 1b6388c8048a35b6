// SPDX-License-Identifier: MIT
// NVRTC compiles every .cu of the source tree, for every architecture that Mylos promises.
// A folder named "invalid" holds texts that must not compile.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/headers.hpp>
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

// Kernels whose symbols NVRTC is asked for; templates are compiled as far as a compiler does without arguments.
std::vector<std::string> mangled_kernels(const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& name : mylos::jit::kernel_names(text)) {
    const auto signature = mylos::jit::parse_signature(text, name);
    if (!signature.is_extern_c && !signature.is_template()) names.push_back(signature.qualified_name);
  }
  return names;
}

class EveryKernel : public NvrtcTest<::testing::TestWithParam<std::string>> {};

TEST_P(EveryKernel, Compiles) {
  const mylos::cuda::Nvrtc& nvrtc = mylos::cuda::Nvrtc::require();
  const mylos::jit::NvrtcCompiler compiler(nvrtc);
  const auto files = cuda_files();
  if (files.empty()) GTEST_SKIP() << "there is no .cu file in " << MYLOS_SOURCE_FOLDER;
  for (const fs::path& file : files) {
    const std::string text = mylos::read_file(file);
    EXPECT_FALSE(mylos::jit::kernel_names(text).empty()) << file << " has no kernel";
    const auto options =
        compiler.options_for({.text = {}, .name = {}, .file = file.string(), .architecture = GetParam()});
    const auto result = nvrtc.compile({.text = text,
                                       .file_name = file.string(),
                                       .options = options,
                                       .headers = mylos::jit::nvrtc_headers(),
                                       .name_expressions = mangled_kernels(text)});
    EXPECT_TRUE(result.compiled) << file << " for " << GetParam() << ":\n" << result.log;
    if (!result.log.empty()) std::cout << result.log;
  }
  std::cout << files.size() << " files for " << GetParam() << "\n";
}

INSTANTIATE_TEST_SUITE_P(Architectures, EveryKernel, ::testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace mylos_test
