// SPDX-License-Identifier: MIT
#include <mylos/cuda/nvrtc.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/scoped_variable.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::NamedText;
using mylos::cuda::Nvrtc;
using mylos::cuda::NvrtcRequest;

// The first call decides for the whole process, so this test has one of its own, forked before any other
// test of this file makes that call.
TEST(NvrtcMissing, IsWhatTheVariableSays) {
  const ScopedVariable variable("MYLOS_NVRTC", "/nowhere/libnvrtc.so.13");
  Child child([] {
    if (Nvrtc::find() != nullptr) ::_exit(1);
    const std::string reason = thrown<mylos::BackendError>([] { static_cast<void>(Nvrtc::require()); });
    ::_exit(contains(reason, {"NVRTC cannot be loaded", "/nowhere/libnvrtc.so.13", "MYLOS_NVRTC"}) ? 17 : 2);
  });
  EXPECT_EQ(child.wait(), 17);
}

class NvrtcLibrary : public NvrtcTest<> {
 protected:
  static NvrtcRequest request(std::string text, std::vector<std::string> names = {}) {
    return {.text = std::move(text),
            .file_name = "text.cu",
            .options = {"-arch=compute_80"},
            .headers = {},
            .name_expressions = std::move(names)};
  }
};

TEST_F(NvrtcLibrary, KnowsItsVersionAndArchitectures) {
  const Nvrtc& nvrtc = Nvrtc::require();
  EXPECT_EQ(&nvrtc, Nvrtc::find());
  EXPECT_TRUE(Nvrtc::unavailable_reason().empty());
  EXPECT_GE(nvrtc.major(), 12);
  EXPECT_EQ(nvrtc.version(), std::to_string(nvrtc.major()) + "." + std::to_string(nvrtc.minor()));
  EXPECT_TRUE(contains(nvrtc.path(), {"nvrtc"}));
  const auto& architectures = nvrtc.supported_architectures();
  EXPECT_TRUE(std::ranges::is_sorted(architectures));
  for (const int promised : {80, 90}) EXPECT_EQ(std::ranges::count(architectures, promised), 1) << promised;
}

TEST_F(NvrtcLibrary, FindsHeadersInMemoryBeforeAnyFolder) {
  const std::array<NamedText, 2> headers = {NamedText{"deep/name.hpp", "#include <other>\n#define VALUE NAME\n"},
                                            NamedText{"other", "#define NAME 42\n"}};
  NvrtcRequest what = request("#include <deep/name.hpp>\nstatic_assert(VALUE == 42);\n__global__ void k() {}");
  what.headers = headers;
  EXPECT_TRUE(Nvrtc::require().compile(what).compiled);
}

TEST_F(NvrtcLibrary, TellsTheSymbolsOfNameExpressions) {
  const auto result = Nvrtc::require().compile(
      request("namespace n { template <class T, int N> __global__ void k(T* x) { *x = N; } } __global__ void p(int) {}",
              {"n::k<double, 3>", "p"}));
  ASSERT_TRUE(result.compiled) << result.log;
  ASSERT_EQ(result.lowered_names.size(), 2U);
  EXPECT_EQ(result.lowered_names[0].first, "n::k<double, 3>");
  EXPECT_EQ(result.lowered_names[0].second, "_ZN1n1kIdLi3EEEvPT_");
  EXPECT_EQ(result.lowered_names[1].second, "_Z1pi");
  EXPECT_TRUE(result.is_ptx);
  EXPECT_TRUE(contains(result.image, {".entry _ZN1n1kIdLi3EEEvPT_("}));
}

TEST_F(NvrtcLibrary, GivesTheLogOfTextsThatDoNotCompile) {
  const auto result = Nvrtc::require().compile(request("__global__ void k() { x = 1; }"));
  EXPECT_FALSE(result.compiled);
  EXPECT_TRUE(result.image.empty());
  EXPECT_TRUE(contains(result.log, {"text.cu(1): error", "\"x\" is undefined"}));
}

TEST_F(NvrtcLibrary, KeepsWarningsOfTextsThatDo) {
  const auto result = Nvrtc::require().compile(request("__global__ void k() { int unused; }"));
  EXPECT_TRUE(result.compiled);
  EXPECT_TRUE(contains(result.log, {"warning", "unused"}));
}

TEST_F(NvrtcLibrary, RefusesOptionsThatItDoesNotKnow) {
  NvrtcRequest what = request("__global__ void k() {}");
  what.options = {"--nonsense"};
  EXPECT_TRUE(contains(
      thrown<mylos::CompileError>([&] { static_cast<void>(Nvrtc::require().compile(what)); }),
      {"text.cu", "NVRTC " + Nvrtc::require().version(), Nvrtc::require().path(), "--nonsense", "INVALID_OPTION"}));
}

TEST_F(NvrtcLibrary, CanBeLoadedASecondTime) {
  const Nvrtc second(std::vector<std::string>{Nvrtc::require().path()});
  EXPECT_EQ(second.version(), Nvrtc::require().version());
  EXPECT_TRUE(second.compile(request("__global__ void k() {}")).compiled);
}

TEST(NvrtcCandidates, EndWithTheOneOfTheBuild) {
  const ScopedVariable unset("MYLOS_NVRTC", nullptr), home("CUDA_HOME", "/of/home"), path("CUDA_PATH", "/of/path");
  const std::vector<std::string> others = Nvrtc::candidates("");
  for (const char* place : {"libnvrtc.so.13", "/of/home/lib64/libnvrtc.so.12", "/of/path/lib64/libnvrtc.so.13"}) {
    EXPECT_EQ(std::ranges::count(others, place), 1) << place;
  }
  std::vector<std::string> with_last = others;
  with_last.emplace_back("/of/build/libnvrtc.so.13");
  EXPECT_EQ(Nvrtc::candidates("/of/build/libnvrtc.so.13"), with_last);
  EXPECT_EQ(Nvrtc::default_file(), MYLOS_NVRTC_DEFAULT_OF_CMAKE);
  EXPECT_EQ(Nvrtc::candidates(), Nvrtc::candidates(MYLOS_NVRTC_DEFAULT_OF_CMAKE));
  const ScopedVariable named("MYLOS_NVRTC", "/of/user/libnvrtc.so.13");
  EXPECT_EQ(Nvrtc::candidates("/of/build/libnvrtc.so.13"), std::vector<std::string>{"/of/user/libnvrtc.so.13"});
}

TEST(NvrtcMissing, IsAnErrorWithAReason) {
  EXPECT_TRUE(contains(thrown<mylos::BackendError>([] { Nvrtc(std::vector<std::string>{"/nowhere/libnvrtc.so.13"}); }),
                       {"/nowhere/libnvrtc.so.13"}));
  EXPECT_TRUE(contains(thrown<mylos::BackendError>([] { Nvrtc(std::vector<std::string>{"libm.so.6"}); }),
                       {"libm.so.6", "no function nvrtc", "too old"}));
  const std::string old = MYLOS_STAND_IN_FOLDER "/test_cuda_old_nvrtc.so";
  EXPECT_TRUE(contains(thrown<mylos::BackendError>([&] { Nvrtc(std::vector<std::string>{old}); }),
                       {old + " is NVRTC 11.8", "12.0 or newer", "MYLOS_NVRTC"}));
}

}  // namespace
}  // namespace mylos_test
