// SPDX-License-Identifier: MIT
#include "check.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/cuda/nvrtc.hpp>

#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos_command::CheckedKernel;

const std::string good = R"(extern "C" __global__ void good(double* x) {
  __shared__ double room[64];
  room[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = room[63 - threadIdx.x];
})";

class Check : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    mylos::write_file_atomically(path, text);
  }
  std::vector<CheckedKernel> check(mylos_command::CheckOptions options = {}) {
    options.paths = {folder_.path()};
    return mylos_command::check(options, [this](const std::string& what) { heard_.push_back(what); });
  }

  const TemporaryFolder folder_;
  std::vector<std::string> heard_;
};

using CheckByNvrtc = NvrtcTest<Check>;

TEST_F(Check, FindsFilesInFoldersInOrder) {
  write("b/b.cu", good);
  write("a/deep/a.cu", good);
  write("a/notes.txt", "no kernel");
  const std::vector<std::filesystem::path> expected = {folder_ / "a/deep/a.cu", folder_ / "b/b.cu"};
  EXPECT_EQ(mylos_command::cuda_files({folder_.path(), folder_ / "b/b.cu"}), expected);
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { (void)mylos_command::cuda_files({folder_ / "c"}); }),
                       {"c' does not exist", "a folder that holds some"}));
  write("empty/readme", "");
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { (void)mylos_command::cuda_files({folder_ / "empty"}); }),
                       {"no .cu file", "empty"}));
}

TEST_F(Check, CompilesForTheEmulator) {
  write("good/good.cu", good);
  const auto kernels = check();
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_TRUE(kernels[0].good());
  EXPECT_EQ(kernels[0].signature, "good(double* x)");
  ASSERT_EQ(kernels[0].outcomes.size(), 1U);
  EXPECT_EQ(kernels[0].outcomes[0].target, "emulator");
  EXPECT_EQ(kernels[0].outcomes[0].shared_bytes, 512);
  EXPECT_EQ(heard_, std::vector<std::string>{"good for the emulator"});
  EXPECT_TRUE(contains(mylos_command::table(kernels), {"kernel  emulator", "good", "ok", "good/good.cu", "1 of 1"}));
}

TEST_F(Check, TellsWhatIsWrongWithEachKernel) {
  write("good/good.cu", good);
  write("bad/bad.cu", "__global__ void bad(int* x) { x[0] = undeclared; }");
  write("hidden/hidden.cu", "static __global__ void hidden(int* x) {}");
  write("none/none.cu", "__device__ int f() { return 1; }");
  write("port/port.cu", "__global__ void other(int* x) { x[0] = 1; }");
  write("two/two.cu", "__global__ void two(int* x) {}\n__global__ void two(float* x) {}");
  const auto kernels = check();
  ASSERT_EQ(kernels.size(), 7U);
  const std::string table = mylos_command::table(kernels);
  EXPECT_TRUE(
      contains(table, {"2 of 7 kernels are good", "no kernel of this name: mylos_add_kernels", "undeclared",
                       "take 'static' away", "no kernel: a kernel is a __global__ function", "stands for 2 kernels"}));
  EXPECT_FALSE(kernels[0].good());
  EXPECT_TRUE(kernels[1].good());
  const auto parsed = nlohmann::json::parse(mylos_command::json(kernels));
  EXPECT_EQ(parsed.size(), 7U);
  EXPECT_EQ(parsed[0]["name"], "bad");
  EXPECT_EQ(parsed[0]["good"], false);
  EXPECT_EQ(parsed[1]["compiled"][0]["target"], "emulator");
}

TEST_F(Check, LeavesTemplatesThatNeedArguments) {
  write("t/t.cu", "template <class T> __global__ void t(T* x) {}\ntemplate <class T = int> __global__ void u(T* x) {}");
  const auto kernels = check();
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].outcomes.at(0).skipped, "template");
  EXPECT_TRUE(kernels[0].good());
  EXPECT_EQ(kernels[1].outcomes.at(0).skipped, "");
  EXPECT_TRUE(kernels[1].good());
}

TEST_F(Check, FindsHeadersInTheFoldersGiven) {
  write("include/value.hpp", "constexpr int value = 3;");
  write("k/k.cu", "#include \"value.hpp\"\n__global__ void k(int* x) { x[0] = value + OTHER; }");
  EXPECT_FALSE(check().front().good());
  EXPECT_TRUE(
      check(
          {.paths = {}, .architectures = {}, .include_dirs = {folder_ / "include"}, .compiler_options = {"-DOTHER=1"}})
          .front()
          .good());
}

TEST_F(Check, NeedsTheCompilersThatItIsAskedFor) {
  write("good/good.cu", good);
  const ScopedVariable variable("MYLOS_CXX", "/nowhere/c++");
  EXPECT_TRUE(contains(thrown<mylos::BackendError>([&] { (void)check(); }), {"/nowhere/c++", "--no-emulator"}));
}

TEST_F(CheckByNvrtc, TellsThemOfEachKernelOfAFile) {
  write("two.cu", "__global__ void without(double* x) { x[0] = 1; }\n" + good);
  const auto kernels = check({.architectures = {"sm_80"}, .emulator = false});
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].outcomes.at(0).shared_bytes, 0);
  EXPECT_EQ(kernels[1].outcomes.at(0).shared_bytes, 512);
}

TEST_F(CheckByNvrtc, TellsRegistersSharedMemoryAndSpills) {
  write("good/good.cu", good);
  write("spills/spills.cu", R"(extern "C" __global__ void __launch_bounds__(1024, 2) spills(double* x) {
  double a[40];
  for (int i = 0; i < 40; ++i) a[i] = x[i * 1024 + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 40; ++i) x[i * 1024 + threadIdx.x] = a[39 - i] * a[i];
})");
  const auto kernels = check({.architectures = {"sm_80", "compute_80"}, .emulator = false});
  ASSERT_EQ(kernels.size(), 2U);
  const auto& real = kernels[0].outcomes.at(0);
  EXPECT_GT(real.registers, 0);
  EXPECT_EQ(real.shared_bytes, 512);
  EXPECT_EQ(real.spill_bytes, 0);
  EXPECT_EQ(kernels[0].outcomes.at(1).registers, -1);  // PTX has not been given registers
  EXPECT_GT(kernels[1].outcomes.at(0).spill_bytes, 0);
  EXPECT_TRUE(contains(mylos_command::table(kernels), {"sm_80", "compute_80", "512 B shared", "B spilled"}));
}

}  // namespace
}  // namespace mylos_test
