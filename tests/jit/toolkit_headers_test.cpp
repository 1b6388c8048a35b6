// SPDX-License-Identifier: MIT
#include "jit/toolkit_headers.hpp"

#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;
using mylos::jit::detail::advice_on_toolkit;
using mylos::jit::detail::toolkit_folders;

void put_header(const fs::path& folder) {
  fs::create_directories(folder);
  std::ofstream(folder / "cuda_fp16.h") << "\n";
}

TEST(ToolkitHeaders, AreThoseOfTheToolkitTheLibraryIsIn) {
  const TemporaryFolder folder;
  const fs::path root = folder / "toolkit";
  put_header(root / "include");
  fs::create_directories(root / "include/cccl");
  const ScopedVariable elsewhere("CUDA_HOME", (folder / "elsewhere").c_str());
  put_header(folder / "elsewhere/include");
  EXPECT_EQ(toolkit_folders(root / "lib64/libnvrtc.so.13"),
            (std::vector<fs::path>{root / "include", root / "include/cccl"}));
}

TEST(ToolkitHeaders, OfPythonsPackagesLieBesideTheLibrarys) {
  const TemporaryFolder folder;
  const fs::path root = folder / "nvidia";
  put_header(root / "cuda_runtime/include");
  fs::create_directories(root / "cuda_cccl/include");
  EXPECT_EQ(toolkit_folders(root / "cuda_nvrtc/lib/libnvrtc.so.12"),
            (std::vector<fs::path>{root / "cuda_runtime/include", root / "cuda_cccl/include"}));
}

TEST(ToolkitHeaders, MayBeNamedByAVariable) {
  const TemporaryFolder folder;
  put_header(folder / "named/include");
  const ScopedVariable variable("CUDA_HOME", (folder / "named").c_str());
  EXPECT_EQ(toolkit_folders("/no/such/lib/libnvrtc.so"), (std::vector<fs::path>{folder / "named/include"}));
}

TEST(ToolkitHeaders, ThatAreMissingComeWithAdvice) {
  const std::string log = "k.cu(1): catastrophic error: could not open source file \"cuda_fp16.h\" (no directories)\n";
  const std::string advice = advice_on_toolkit(log, {});
  for (const char* word : {"<cuda_fp16.h>", "CUDA_HOME", "nvidia-cuda-runtime"}) {
    EXPECT_NE(advice.find(word), std::string::npos) << advice;
  }
  const std::vector<fs::path> folders = {"/opt/cuda/include"};
  EXPECT_NE(advice_on_toolkit(log, folders).find("/opt/cuda/include, but lacks it"), std::string::npos);
  EXPECT_EQ(advice_on_toolkit("k.cu(1): catastrophic error: could not open source file \"mine.hpp\"\n", {}), "");
  EXPECT_EQ(advice_on_toolkit("k.cu(3): error: identifier \"cuda\" is undefined\n", {}), "");
}

}  // namespace
}  // namespace mylos_test
