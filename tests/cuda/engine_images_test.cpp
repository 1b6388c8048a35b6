// SPDX-License-Identifier: MIT
// Kernels that were compiled when the program was built: a card that one of them fits needs no NVRTC.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/cuda/nvrtc.hpp>
#include <mylos/kernel.hpp>

#include "cuda/engine.hpp"
#include "jit/kernel_image.hpp"
#include "kernel/own_process.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;

const std::string add_text = R"(
extern "C" __global__ void add(double* x, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += a;
})";

constexpr const char* folder_variable = "TEST_IMAGES";            // whose files are the images
constexpr const char* expected_variable = "TEST_EXPECTED_IMAGE";  // "sm_80"

class EngineImages : public ::testing::Test {
 protected:
  /// A port as mylos_add_kernels() makes it.
  CudaKernel port() {
    for (const auto& file : std::filesystem::directory_iterator(std::getenv(folder_variable))) {
      bytes_.push_back(mylos::read_file(file.path()));
    }
    for (const std::string& bytes : bytes_) images_.push_back({"add", bytes});
    images_.push_back({"of_another_kernel", bytes_.front()});
    return mylos::detail::embedded_port({"add", add_text}, {}, "/kernels/add", images_);
  }

 private:
  std::vector<std::string> bytes_;
  std::vector<mylos::NamedText> images_;
};

/// For tests that start processes: such a folder.
class EngineImagesMade : public NvrtcTest<EngineImages> {
 protected:
  void SetUp() override {
    NvrtcTest<EngineImages>::SetUp();
    if (IsSkipped()) return;
    const CudaKernel add(add_text, "add");
    for (const char* architecture : {"sm_80", "sm_86", "sm_90"}) {
      mylos::write_file_atomically(folder_ / architecture, mylos::jit::detail::packed(add.compile(architecture)));
    }
  }

  const TemporaryFolder folder_;
  const ScopedVariable variable_{folder_variable, folder_.path().c_str()};
  const ScopedVariable no_cache_{"MYLOS_CACHE", "0"};
};

// ---- in processes without NVRTC

TEST_F(EngineImages, DISABLED_RunWithoutNvrtc) {
  ASSERT_EQ(mylos::cuda::Nvrtc::find(), nullptr);
  const StandIn stand_in;
  run_on_emulator(stand_in, "add", add_text, "add");
  const OnHost<double*> host("host", 300);
  for (int i = 0; i < 300; ++i) host(i) = i;
  const OnDevice<double*> x("x", 300);
  Kokkos::deep_copy(x, host);
  const std::string expected = std::getenv(expected_variable);
  const Logged logged;
  const CudaKernel add = port();
  add(x, 0.5, 300);
  EXPECT_TRUE(contains(logged.text(), {"'add' (/kernels/add/add.cu): the cubin for " + expected + " that is part"}));
  Kokkos::deep_copy(host, x);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(host(i), i + 0.5);
  EXPECT_EQ(stand_in.count("cuLaunchKernel add"), 1);
  EXPECT_EQ(add.compile().architecture, expected);
  EXPECT_EQ(stand_in.violations(), "");
  end_alone();
}

TEST_F(EngineImages, DISABLED_OneIsChosen) {
  const std::string expected = std::getenv(expected_variable);
  const Logged logged;
  EXPECT_EQ(port().compile().architecture, expected);
  const std::string kind = expected.starts_with("sm_") ? "the cubin for " : "the PTX for ";
  EXPECT_TRUE(contains(logged.text(), {kind + expected + " that is part of the program"}));
  end_alone();
}

TEST_F(EngineImages, DISABLED_WithoutAFittingOneNvrtcIsMissed) {
  const CudaKernel add = port();
  EXPECT_TRUE(contains(thrown<mylos::BackendError>([&] { static_cast<void>(add.compile()); }),
                       {"'add'", "no code that is part of the program runs on compute capability 12.0",
                        "NVRTC cannot be loaded", "ARCHITECTURES 120"}));
  end_alone();
}

TEST_F(EngineImages, DISABLED_DebuggingCompilesAllTheSame) {
  const mylos::ScopedDebug debug(true);
  const CudaKernel add = port();
  EXPECT_TRUE(
      contains(thrown<mylos::BackendError>([&] { static_cast<void>(add.compile()); }), {"NVRTC cannot be loaded"}));
  end_alone();
}

TEST_F(EngineImages, DISABLED_OthersAreCompiledForTheDevice) {
  const Logged logged;
  const CudaKernel add = port();
  EXPECT_EQ(add.compile().architecture, "sm_75");
  EXPECT_TRUE(contains(logged.text(), {"no code that is part of the program runs on compute capability 7.5"}));
  end_alone();
}

int run_without_nvrtc(const std::string& test, const char* capability) {
  const ScopedVariable card("STAND_IN_CAPABILITY", capability);
  return run_alone("EngineImages.DISABLED_" + test, "MYLOS_NVRTC", "/nowhere/libnvrtc.so");
}

TEST_F(EngineImagesMade, OneOfTheSameGenerationIsTaken) {
  struct Case { const char *card, *image; };
  for (const Case& one : {Case{"80", "sm_80"}, Case{"89", "sm_86"}, Case{"90", "sm_90"}}) {
    const ScopedVariable expected(expected_variable, one.image);
    EXPECT_EQ(run_without_nvrtc("RunWithoutNvrtc", one.card), passed_alone) << one.card;
  }
}

// Which one it is does not depend on what is in it: one compilation under many names.
TEST_F(EngineImagesMade, OfSeveralTheMostFittingIsTaken) {
  const TemporaryFolder folder;
  const ScopedVariable images(folder_variable, folder.path().c_str());
  mylos::CompiledKernel add = CudaKernel(add_text, "add").compile("compute_80");
  for (const char* architecture :
       {"sm_80", "sm_90", "sm_90a", "compute_90a", "compute_90", "sm_100", "sm_100f", "compute_80", "compute_120f"}) {
    add.architecture = architecture;
    mylos::write_file_atomically(folder / architecture, mylos::jit::detail::packed(add));
  }
  struct Case { const char *card, *image; };
  for (const Case& one : {Case{"89", "sm_80"}, Case{"90", "sm_90a"}, Case{"100", "sm_100f"}, Case{"103", "sm_100f"},
                          Case{"110", "compute_90"}, Case{"121", "compute_120f"}, Case{"130", "compute_90"}}) {
    const ScopedVariable expected(expected_variable, one.image);
    EXPECT_EQ(run_without_nvrtc("OneIsChosen", one.card), passed_alone) << one.card;
  }
}

TEST_F(EngineImagesMade, WhatFitsNoneNeedsNvrtc) {
  EXPECT_EQ(run_without_nvrtc("WithoutAFittingOneNvrtcIsMissed", "120"), passed_alone);
  EXPECT_EQ(run_without_nvrtc("DebuggingCompilesAllTheSame", "90"), passed_alone);
  EXPECT_EQ(run_alone("EngineImages.DISABLED_OthersAreCompiledForTheDevice", "STAND_IN_CAPABILITY", "75"),
            passed_alone);
}

TEST_F(EngineImagesMade, AFileOfTheKernelPathIsNotOneOfThem) {
  const TemporaryFolder kernels;
  mylos::write_file_atomically(kernels / "add.cu", add_text);
  const ScopedVariable path("MYLOS_KERNEL_PATH", kernels.path().c_str());
  const Logged logged;
  EXPECT_EQ(port().compile().architecture, "sm_90");
  EXPECT_TRUE(contains(logged.text(), {"add.cu replaces the port that is part of the program", "compiled"}));
  EXPECT_EQ(logged.text().find("the cubin for"), std::string::npos);
}

}  // namespace
}  // namespace mylos_test
