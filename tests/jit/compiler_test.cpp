// SPDX-License-Identifier: MIT
#include <mylos/jit/compiler.hpp>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::jit::choose_architecture;
using mylos::jit::CompileRequest;
using mylos::jit::NvrtcCompiler;
using Architectures = std::vector<int>;

TEST(ChooseArchitecture, PrefersTheDeviceThenTheNewestOlderOneAsPtx) {
  EXPECT_EQ(choose_architecture(90, Architectures{80, 86, 90}), "sm_90");
  EXPECT_EQ(choose_architecture(89, Architectures{75, 80, 86}), "compute_86");
  EXPECT_EQ(choose_architecture(120, Architectures{90, 100}), "compute_100");
  EXPECT_EQ(choose_architecture(87, Architectures{90, 86, 80}), "compute_86");
}

TEST(ChooseArchitecture, SaysWhatTheCompilerKnowsWhenTheDeviceIsTooOld) {
  const auto message = [](int device, const Architectures& supported) {
    return thrown<mylos::BackendError>(
        [&] { static_cast<void>(choose_architecture(device, supported, "NVRTC 13.0 (/x/libnvrtc.so.13)")); });
  };
  EXPECT_TRUE(contains(message(21, {50, 60}),
                       {"compute capability 2.1", "NVRTC 13.0 (/x/libnvrtc.so.13)", "50, 60", "MYLOS_NVRTC"}));
  EXPECT_TRUE(contains(message(90, {}), {"compute capability 9.0", "no architecture at all"}));
}

class NvrtcCompilerTest : public NvrtcTest<> {
 protected:
  static CompileRequest request(std::string text, std::string name, std::string architecture = "compute_80") {
    return {.text = std::move(text), .name = std::move(name), .architecture = std::move(architecture)};
  }
  static mylos::CompiledKernel compile(const CompileRequest& what) { return NvrtcCompiler().compile(what); }

  template <class E>
  static std::string refusal(const CompileRequest& what) {
    return thrown<E>([&] { static_cast<void>(compile(what)); });
  }
};

TEST_F(NvrtcCompilerTest, MakesCubinForRealAndPtxForVirtualArchitectures) {
  const std::string text = "extern \"C\" __global__ void k(double* x) { x[0] = 1; }";
  const auto cubin = compile(request(text, "k", "sm_90"));
  EXPECT_EQ(cubin.name, "k");
  EXPECT_EQ(cubin.architecture, "sm_90");
  EXPECT_EQ(cubin.image.substr(0, 4), "\177ELF");
  const auto ptx = compile(request(text, "k", "compute_80"));
  EXPECT_EQ(ptx.architecture, "compute_80");
  EXPECT_TRUE(contains(ptx.image, {".target sm_80", ".entry k("}));
  EXPECT_NE(ptx.image.back(), '\0');
}

// extern "C" and mangled kernels, templates and namespaces in one text: each is found by its plain name.
TEST_F(NvrtcCompilerTest, FindsTheSymbolOfEveryFormOfKernel) {
  const std::string text = R"(
extern "C" __global__ void a(int* x) { *x = 1; }
__global__ void b(int* x) { *x = 2; }
template <class T, int N = 2> __global__ void c(T* x) { *x = N; }
namespace n { inline namespace v1 { __global__ void d(int* x) { *x = 3; } } template <class T> __global__ void e(T* x) { *x = T(4); } }
)";
  const auto symbol = [&](const std::string& name, const std::string& instantiate) {
    CompileRequest what = request(text, name);
    what.instantiate = instantiate;
    const auto compiled = compile(what);
    EXPECT_TRUE(contains(compiled.image, {".entry " + compiled.name + "("}));
    return compiled.name;
  };
  EXPECT_EQ(symbol("a", ""), "a");
  EXPECT_EQ(symbol("b", ""), "_Z1bPi");
  EXPECT_EQ(symbol("c", "c<double, 3>"), "_Z1cIdLi3EEvPT_");
  EXPECT_EQ(symbol("c", "c<float>"), "_Z1cIfLi2EEvPT_");
  EXPECT_EQ(symbol("d", ""), "_ZN1n2v11dEPi");
  EXPECT_EQ(symbol("e", "e<int>"), "_ZN1n1eIiEEvPT_");
  EXPECT_EQ(symbol("e", "n::e<unsigned>"), "_ZN1n1eIjEEvPT_");
}

// std::int64_t is long on the host and long long on the device: all six spellings must give a kernel.
TEST_F(NvrtcCompilerTest, InstantiatesForEverySpellingOfA64BitInteger) {
  for (const char* type : {"int64_t", "long", "long long", "uint64_t", "size_t", "ptrdiff_t"}) {
    CompileRequest what = request(
        "#include <cstdint>\n#include <cstddef>\ntemplate <class T> __global__ void k(T* x) { static_assert(sizeof(T) "
        "== 8); *x = 1; }",
        "k");
    what.instantiate = std::string("k<") + type + ">";
    EXPECT_TRUE(contains(compile(what).name, {"_Z1kI"})) << type;
  }
}

TEST_F(NvrtcCompilerTest, RefusesKernelsThatNobodyCouldLaunch) {
  EXPECT_TRUE(contains(refusal<mylos::SignatureError>(request("static __global__ void k(int) {}", "k")),
                       {"kernel 'k'", "k.cu line 1", "static"}));
  EXPECT_TRUE(contains(refusal<mylos::SignatureError>(request("namespace { __global__ void k(int) {} }", "k")),
                       {"unnamed namespace"}));
  EXPECT_TRUE(contains(refusal<mylos::LookupError>(request("__global__ void k(int) {}", "q")), {"has the kernels k"}));
  EXPECT_TRUE(
      contains(refusal<mylos::SignatureError>(request("template <class T> __global__ void k(T* x) { *x = 1; }", "k")),
               {"'T' has no argument"}));
}

TEST_F(NvrtcCompilerTest, ShowsErrorsBesideNumberedLinesWithACaret) {
  const std::string text = "// one\n// two\nextern \"C\" __global__ void push(double* x) {\n\tx[0] = y;\n}\n";
  CompileRequest what = request(text, "push");
  what.file = "kernels/push.cu";
  try {
    static_cast<void>(compile(what));
    FAIL() << "it compiled";
  } catch (const mylos::CompileError& error) {
    EXPECT_TRUE(
        contains(error.what(), {"kernel 'push' does not compile", "NVRTC", "kernels/push.cu:4:9: error",
                                "\"y\" is undefined", "  3 | extern", "> 4 | \tx[0] = y;\n    | \t       ^\n"}));
    EXPECT_TRUE(contains(error.log(), {"kernels/push.cu(4)"}));
  }
}

TEST_F(NvrtcCompilerTest, ShowsErrorsInIncludedFilesAndEmbeddedHeaders) {
  const TemporaryFolder folder;
  const std::string path = folder.path();
  mylos::write_file_atomically(folder / "good.hpp", "#pragma once\n\n#include \"bad.hpp\"\n");
  mylos::write_file_atomically(folder / "bad.hpp", "int fine;\nint broken = ;\n");
  CompileRequest what = request("#include \"good.hpp\"\nextern \"C\" __global__ void k() {}", "k");
  what.file = folder / "k.cu";
  EXPECT_TRUE(contains(refusal<mylos::CompileError>(what),
                       {path + "/bad.hpp:2", "> 2 | int broken = ;",
                        "\n  included from " + path + "/good.hpp:3\n  included from " + path + "/k.cu:1\n"}));
  what.text =
      "\n#include <mylos/device/array.hpp>\nextern \"C\" __global__ void k(mylos::Array<int, 2> a) { a(1) = 2; }";
  EXPECT_TRUE(contains(refusal<mylos::CompileError>(what),
                       {"mylos/device/array.hpp:", "give as many indices", "\n  included from " + path + "/k.cu:2\n"}));
}

TEST_F(NvrtcCompilerTest, NamesTheFoldersSearchedForAMissingFile) {
  CompileRequest what = request("#include \"nowhere.hpp\"\nextern \"C\" __global__ void k() {}", "k");
  what.include_dirs = {"/some/where"};
  EXPECT_TRUE(contains(refusal<mylos::CompileError>(what),
                       {"nowhere.hpp", "folders searched for included files", "\n  /some/where", "include_dirs"}));
}

TEST_F(NvrtcCompilerTest, LooksForIncludedFilesBesideTheFileFirst) {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  mylos::write_file_atomically(folder / "value.hpp", "#define VALUE right");
  mylos::write_file_atomically(other / "value.hpp", "#define VALUE wrong");
  CompileRequest what =
      request("#include \"value.hpp\"\n__device__ int right;\nextern \"C\" __global__ void k() { VALUE = 1; }", "k");
  what.file = folder / "k.cu";
  what.include_dirs = {other.path()};
  EXPECT_EQ(compile(what).name, "k");
}

TEST_F(NvrtcCompilerTest, TakesFilesOfTheProgramFromNoFolder) {
  const std::vector<mylos::NamedText> embedded = {
      {"/no/such/sum.hpp", "#pragma once\n#include \"parts/part.hpp\"\n__device__ int sum = PART;\n"},
      {"/no/such/parts/part.hpp", "#pragma once\n#include \"../sum.hpp\"\n#define PART 1\n"},
      {"/no/such/push/bad.hpp", "int fine;\nint broken = ;\n"},
      {"/no/such/push/lacks.hpp", "\n#include \"nowhere.hpp\"\n"}};
  CompileRequest what =
      request("#include \"../sum.hpp\"\nextern \"C\" __global__ void push(int* x) { *x = PART; }", "push");
  what.file = "/no/such/push/push.cu";
  what.embedded = embedded;
  EXPECT_EQ(compile(what).name, "push");
  // Errors are in the user's files, at their lines.
  what.text = "#include \"../sum.hpp\"\nextern \"C\" __global__ void push() { sum = y; }";
  EXPECT_TRUE(contains(refusal<mylos::CompileError>(what), {"/no/such/push/push.cu:2", "> 2 | extern"}));
  what.text = "#include \"bad.hpp\"\nextern \"C\" __global__ void push() {}";
  EXPECT_TRUE(contains(refusal<mylos::CompileError>(what), {"\n/no/such/push/bad.hpp:2", "> 2 | int broken = ;",
                                                            "\n  included from /no/such/push/push.cu:1\n"}));
  what.text = "#include \"lacks.hpp\"\nextern \"C\" __global__ void push() {}";
  EXPECT_TRUE(
      contains(refusal<mylos::CompileError>(what), {"/no/such/push/lacks.hpp:2", "nowhere.hpp", "  /no/such/push"}));
}

TEST_F(NvrtcCompilerTest, RefusesBadOptionsAndArchitecturesWithTheLibrarysVersion) {
  const std::string text = "extern \"C\" __global__ void k() {}";
  EXPECT_TRUE(contains(refusal<mylos::CompileError>(request(text, "k", "sm_10")),
                       {"gpu-architecture", "NVRTC " + mylos::cuda::Nvrtc::require().version(), "-arch=sm_10"}));
  CompileRequest what = request(text, "k");
  what.options = {"--no-such-option"};
  EXPECT_TRUE(contains(refusal<mylos::CompileError>(what), {"no-such-option"}));
}

TEST_F(NvrtcCompilerTest, GivesWayToTheUsersOptions) {
  CompileRequest what = request(
      "static_assert(__cplusplus == 201703L);\n#ifdef MYLOS_DEBUG\n__device__ int debug;\n#endif\n"
      "extern \"C\" __global__ void k() { debug = NUMBER; }",
      "k", "sm_80");
  what.options = {"--std=c++17", "--gpu-architecture=compute_90", "-DNUMBER=3"};
  what.debug = true;
  const auto compiled = compile(what);
  EXPECT_EQ(compiled.architecture, "compute_90");
  EXPECT_TRUE(contains(compiled.image, {".target sm_90", ".loc"}));
  const auto options = NvrtcCompiler().options_for(request("", "k", "sm_80"));
  EXPECT_EQ(std::ranges::count(options, "-std=c++20") + std::ranges::count(options, "-arch=sm_80"), 2);
}

TEST_F(NvrtcCompilerTest, MayBeCalledFromSeveralThreads) {
  std::vector<std::string> names(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < names.size(); ++i) {
    threads.emplace_back([&names, i] {
      const std::string name = "k" + std::to_string(i);
      names[i] = compile(request("__global__ void " + name + "(int* x) { *x = 1; }", name)).name;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(names, (std::vector<std::string>{"_Z2k0Pi", "_Z2k1Pi", "_Z2k2Pi", "_Z2k3Pi"}));
}

// Where NVRTC came with a toolkit, its headers are found, in any order with the standard ones.
TEST_F(NvrtcCompilerTest, FindsTheToolkitsHeaders) {
  const NvrtcCompiler compiler;
  const auto options = compiler.options_for(request("", "k"));
  if (std::ranges::none_of(options, [](const std::string& option) { return option.starts_with("-I"); })) {
    GTEST_SKIP() << "no cuda_fp16.h beside " << compiler.description();
  }
  for (const std::string headers : {"#include <cuda_fp16.h>\n#include <cstdint>\n#include <limits>\n",
                                    "#include <stdint.h>\n#include <limits>\n#include <cuda_fp16.h>\n"}) {
    EXPECT_EQ(compile(request(headers + headers +
                                  "extern \"C\" __global__ void k(__half* x, std::int64_t n) { x[n] = x[0]; }",
                              "k"))
                  .name,
              "k");
  }
}

}  // namespace
}  // namespace mylos_test
