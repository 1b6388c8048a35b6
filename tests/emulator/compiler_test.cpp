// SPDX-License-Identifier: MIT
#include <mylos/emulator/compiler.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/support.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

using emulator::Execution;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* axpy_text = R"(extern "C" __global__ void axpy(double a, const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
})";

std::string compile_error(const emulator::Source& source) {
  const auto error = error_of<mylos::CompileError>([&] { (void)emulator::compile(source); });
  return error ? error->what() : "";
}

// A script that counts its calls stands for the compiler.
class CountingCompiler {
 public:
  CountingCompiler() {
    const std::filesystem::path script = folder_ / "counting";
    std::ofstream(script) << "#!/bin/sh\necho >> " << calls().string() << "\nexec c++ \"$@\"\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    variable_.emplace("MYLOS_CXX", script.c_str());
  }
  /// Calls since the last question.
  [[nodiscard]] int count() const {
    std::ifstream stream(calls());
    int lines = 0;
    for (std::string line; std::getline(stream, line);) ++lines;
    std::filesystem::remove(calls());
    return lines;
  }

 private:
  [[nodiscard]] std::filesystem::path calls() const { return folder_ / "calls"; }
  TemporaryFolder folder_;
  std::optional<ScopedVariable> variable_;
};

TEST(Compiler, AnEqualSourceIsCompiledOnce) {
  const CountingCompiler compiler;
  EXPECT_EQ(emulator::compile({.text = axpy_text, .name = "axpy"})->name(), "axpy");
  EXPECT_GT(compiler.count(), 0);
  (void)emulator::compile({.text = axpy_text, .name = "axpy"});
  EXPECT_EQ(compiler.count(), 0);
  (void)emulator::compile({.text = axpy_text, .name = "axpy", .options = {"-DX"}});
  EXPECT_GT(compiler.count(), 0);
}

TEST(Compiler, ThreadsThatWantTheSameKernelShareIt) {
  const CountingCompiler compiler;
  const auto compile = [] { (void)emulator::compile({.text = std::string(axpy_text) + "// shared", .name = "axpy"}); };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(compile);
  for (auto& thread : threads) thread.join();
  const int calls = compiler.count();
  (void)emulator::compile({.text = std::string(axpy_text) + "// alone", .name = "axpy"});
  EXPECT_EQ(calls, compiler.count() + 1) << "the first question is for the compiler's name";
}

struct ExecutionCase {
  const char* name;
  const char* text;
  Execution execution;
};

// The proof is made from the object file: words in comments, dead branches and other kernels do not count.
TEST(Compiler, ExecutionFollowsFromWhatTheKernelRefersTo) {
  const std::vector<ExecutionCase> cases{
      {"comment", "__global__ void comment(int* p) { /* __syncthreads(); */ p[threadIdx.x] = 1; }",
       Execution::vector_loop},
      {"dead", "__global__ void dead(int* p) { if (sizeof(int) == 8) __syncthreads(); p[threadIdx.x] = 1; }",
       Execution::vector_loop},
      {"neighbour",
       "__global__ void other(int* p) { __syncthreads(); }\n"
       "__global__ void neighbour(int* p) { p[threadIdx.x] = 1; }",
       Execution::vector_loop},
      {"barrier", "__global__ void barrier(int* p) { p[threadIdx.x] = 1; __syncthreads(); p[0] = p[1]; }",
       Execution::fibers},
      {"called",
       "__device__ __noinline__ int wait(int v) { return __syncthreads_or(v); }\n"
       "__global__ void called(int* p) { p[threadIdx.x] = wait(p[0]); }",
       Execution::fibers},
      {"runtime", "__global__ void runtime(int* p, int flag) { if (flag) __syncthreads(); p[0] = 1; }",
       Execution::fibers},
      {"atomic", "__global__ void atomic(double* p) { atomicAdd(p, 1.0); }", Execution::thread_loop},
      {"in_template",
       "template <bool b> __device__ void maybe() { if constexpr (b) __syncthreads(); }\n"
       "__global__ void in_template(int* p) { maybe<false>(); p[threadIdx.x] = 1; }",
       Execution::vector_loop},
  };
  for (const ExecutionCase& c : cases) {
    const auto program = emulator::compile({.text = c.text, .name = c.name});
    EXPECT_EQ(program->execution(), c.execution) << c.name;
    EXPECT_EQ(program->has_atomics(), c.execution == Execution::thread_loop) << c.name;
  }
}

struct GuessCase {
  const char* name;
  const char* text;
  Execution execution;
  int compilations;
};

// Words of the text tell which way of running is compiled first, and the object file whether it will do.
TEST(Compiler, AnotherWayOfRunningIsCompiledOnlyWhereTheTextMisleads) {
  const std::vector<GuessCase> cases{
      {"loop", "__global__ void loop(int* p) { p[threadIdx.x] = 1; }", Execution::vector_loop, 1},
      {"barrier", "__global__ void barrier(int* p) { p[threadIdx.x] = 1; __syncthreads(); p[0] = p[1]; }",
       Execution::fibers, 1},
      {"atomic", "__global__ void atomic(int* p) { atomicAdd(p, 1); }", Execution::thread_loop, 1},
      {"both", "__global__ void both(int* p) { atomicAdd(p, 1); __syncthreads(); p[0] = p[1]; }", Execution::fibers, 1},
      {"active", "__global__ void active(unsigned* p) { p[threadIdx.x] = __activemask(); }", Execution::fibers, 1},
      {"sleeping", "__global__ void sleeping(int* p) { __nanosleep(8); p[threadIdx.x] = 1; }", Execution::thread_loop,
       1},
      {"reduction",
       "#include <mylos/device/reduce.hpp>\n"
       "__global__ void reduction(int* p) { p[threadIdx.x] = mylos::device::block_sum(p[threadIdx.x]); }",
       Execution::fibers, 1},
      {"said", "__global__ void said(int* p) { /* no __syncthreads() */ p[threadIdx.x] = 1; }", Execution::vector_loop,
       2},
      {"said_of_atomics", "__global__ void said_of_atomics(int* p) { /* no atomicAdd() */ p[threadIdx.x] = 1; }",
       Execution::vector_loop, 1},
      {"atomic_alone", "__global__ void atomic_alone(int* p) { /* no __syncthreads() */ atomicAdd(p, 1); }",
       Execution::thread_loop, 1},
      {"hidden", "__global__ void hidden(int* p) { p[threadIdx.x] = 1; MEET; p[0] = p[1]; }", Execution::fibers, 2},
  };
  const CountingCompiler compiler;
  (void)emulator::compile({.text = axpy_text, .name = "axpy"});  // the first question is for the compiler's name
  (void)compiler.count();
  for (const GuessCase& c : cases) {
    const auto program = emulator::compile({.text = c.text, .name = c.name, .options = {"-DMEET=__syncthreads()"}});
    EXPECT_EQ(program->execution(), c.execution) << c.name;
    EXPECT_EQ(compiler.count(), c.compilations + 1) << c.name << ": and the linker once";
    const DeviceArray<int> p(32, 1);
    EXPECT_NO_THROW(run(*program, {.block = {32, 1, 1}}, p.data())) << c.name;
  }
}

// Some of these are linked without the C++ library, and some cannot be.
TEST(Compiler, WhatKernelsNeedOfTheCxxLibraryIsLinked) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"virtual",
       "struct A { virtual int f() const { return 1; } };\n"
       "struct B : A { int f() const override { return 2; } };\n"
       "__device__ __noinline__ int call(const A& a) { return a.f(); }\n"
       "__global__ void k(int* p) { B b; p[0] = 5 + call(b); }"},
      {"cast",
       "struct A { virtual ~A() {} };\nstruct B : A { int x = 7; };\n"
       "__device__ __noinline__ int call(A* a) { B* b = dynamic_cast<B*>(a); return b ? b->x : 0; }\n"
       "__global__ void k(int* p) { B b; p[0] = call(&b); }"},
      {"guard",
       "__device__ __noinline__ int seven(int x) { static int once = x + 6; return once; }\n"
       "__global__ void k(int* p) { p[0] = seven(p[1]); }"},
      {"destructor",
       "struct D { int* p; ~D() { *p = 7; } };\n"
       "__global__ void k(int* p) { D d{p}; __syncthreads(); p[0] = 1; }"},
      {"array", "__global__ void k(int* p) { int* q = new int[p[1] + 6]; q[6] = 7; p[0] = q[p[1] + 5]; delete[] q; }"},
      {"wide", "__global__ void k(int* p) { __int128 big = p[1]; big <<= 90; p[0] = int(((big << 3) - big) / big); }"},
  };
  for (const auto& [name, text] : cases) {
    const auto program = emulator::compile({.text = text, .name = "k"});
    for (const bool checked : {false, true}) {
      const auto scope = checks_if(checked);
      const DeviceArray<int> p(2, 1);
      EXPECT_NO_THROW(run(*program, {}, p.data())) << name << (checked ? ", checked" : "");
      EXPECT_EQ(p.read()[0], 7) << name << (checked ? ", checked" : "");
    }
  }
}

TEST(Compiler, StaticSharedMemoryIsThatOfTheKernel) {
  const auto program = emulator::compile({.text = R"(
template <class T, int n> __device__ T* buffer() { __shared__ T data[n]; return data; }
__global__ void other(int* p) { __shared__ int big[10000]; big[threadIdx.x] = p[0]; __syncthreads(); p[0] = big[1]; }
__global__ void mine(float* p) {
  __shared__ double a[3][5];
  float* b = buffer<float, 7>();
  a[0][threadIdx.x] = p[0]; b[threadIdx.x] = p[1];
  __syncthreads();
  p[threadIdx.x] = a[0][1] + b[1];
})",
                                          .name = "mine"});
  EXPECT_EQ(program->static_shared_bytes(), 15 * sizeof(double) + 7 * sizeof(float));
}

TEST(Compiler, SyntaxErrorsShowNumberedLinesAndACaret) {
  const std::string text = "__global__ void broken(double* x) {\n  int i = threadIdx.x;\n  x[i] = undeclared + 1;\n}\n";
  EXPECT_THAT(compile_error({.text = text, .name = "broken", .file = "folder/broken.cu"}),
              AllOf(HasSubstr("kernel 'broken' does not compile"), HasSubstr("folder/broken.cu:3:10: error"),
                    HasSubstr("'undeclared' was not declared"), HasSubstr("  2 |   int i = threadIdx.x;"),
                    HasSubstr("> 3 |   x[i] = undeclared + 1;\n    |          ^")));
}

TEST(Compiler, ManyErrorsAreCutAndTheLogKeepsThemAll) {
  std::string text = "__global__ void many(double* x) {\n";
  for (int i = 0; i < 17; ++i) text += "  x[" + std::to_string(i) + "] = missing" + std::to_string(i) + ";\n";
  const auto error =
      error_of<mylos::CompileError>([&] { (void)emulator::compile({.text = text + "}\n", .name = "many"}); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(),
              AllOf(HasSubstr("'missing9'"), Not(HasSubstr("'missing10'")), HasSubstr("17 errors in all")));
  EXPECT_THAT(error->log(), HasSubstr("missing16"));
}

struct RefusalCase {
  const char* name;
  const char* statement;
  std::vector<const char*> words;
};

TEST(Compiler, WhatTheEmulatorCannotDoIsRefusedWithItsLine) {
  const std::vector<RefusalCase> cases{
      {"ptx", "asm volatile(\"mov.u32 %0, %laneid;\" : \"=r\"(p[0]));", {"ptx.cu:2:", "inline PTX", "MYLOS_EMULATOR"}},
      {"nested", "nested<<<1, 1>>>(p);", {"nested.cu:2:", "is host code", "MYLOS_EMULATOR"}},
      {"shuffle", "p[0] = __shfl_down(p[1], 1);", {"shuffle.cu:2:", "without _sync", "__shfl_down_sync(mask, ...)"}},
      {"vote", "p[0] = __ballot(p[1]);", {"vote.cu:2:", "without _sync", "__ballot_sync(mask, ...)"}},
  };
  for (const RefusalCase& c : cases) {
    const std::string text = "__global__ void " + std::string(c.name) + "(int* p) {\n  " + c.statement + "\n}\n";
    const std::string message = compile_error({.text = text, .name = c.name});
    for (const char* word : c.words) EXPECT_THAT(message, HasSubstr(word)) << c.name;
    const std::string with_hook = "__global__ void " + std::string(c.name) + "(int* p) {\n#ifndef MYLOS_EMULATOR\n" +
                                  c.statement + "\n#else\n p[0] = 1;\n#endif\n}\n";
    EXPECT_NO_THROW((void)emulator::compile({.text = with_hook, .name = c.name})) << c.name;
  }
}

TEST(Compiler, HeadersOfTheHostAreOneMessage) {
  const std::string message = compile_error({.text = "#include <cstdint>\n#include <iostream>\n#include <cuda_fp8.h>\n"
                                                     "__global__ void k(int* p) { std::cout << *p; __nv_fp8_e4m3 h; }",
                                             .name = "k"});
  EXPECT_THAT(message, AllOf(HasSubstr("k.cu:2: #include <iostream>\n"), HasSubstr("k.cu:3: #include <cuda_fp8.h>\n"),
                             HasSubstr("headers of the host cannot be used in a kernel"),
                             HasSubstr("<mylos/device.hpp>"), HasSubstr("#ifndef MYLOS_EMULATOR")));
  EXPECT_THAT(message, Not(AnyOf(HasSubstr("inline PTX"), HasSubstr("/usr/"), HasSubstr("cout"))));
  const TemporaryFolder folder;
  std::ofstream(folder / "complex") << "constexpr int mine = 3;\n";
  EXPECT_NO_THROW((void)emulator::compile({.text = "#include <complex>\n__global__ void k(int* p) { *p = mine; }",
                                           .name = "k",
                                           .include_dirs = {folder / ""}}))
      << "a header of the user's own";
}

TEST(Compiler, AMissingHeaderComesWithTheFoldersThatWereSearched) {
  const emulator::Source source{
      .text = "#include \"nowhere.hpp\"\n__global__ void k() {}", .name = "k", .include_dirs = {"/some/where"}};
  EXPECT_THAT(compile_error(source),
              AllOf(HasSubstr("nowhere.hpp"), HasSubstr("\n  /some/where\n"), HasSubstr("CudaOptions::include_dirs")));
}

TEST(Compiler, AKernelThatTheTextLacksIsNamed) {
  EXPECT_THAT(compile_error({.text = axpy_text, .name = "axpby"}), HasSubstr("'axpby' was not declared"));
}

TEST(Compiler, EmptySourcesAreRefused) {
  EXPECT_THROW((void)emulator::compile({.text = "", .name = "k"}), mylos::ValueError);
  EXPECT_THROW((void)emulator::compile({.text = axpy_text, .name = ""}), mylos::ValueError);
}

TEST(Compiler, AProgramThatIsNoCompilerIsABackendErrorThatNamesTheVariables) {
  const ScopedVariable variable("MYLOS_CXX", "/bin/false");
  const auto error = error_of<mylos::BackendError>(
      [] { (void)emulator::compile({.text = std::string(axpy_text) + "// no compiler", .name = "axpy"}); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("'/bin/false'"), HasSubstr("exit code 1"), HasSubstr("MYLOS_CXX")));
}

TEST(Compiler, AnAbsentCompilerIsABackendErrorThatNamesTheVariables) {
  const ScopedVariable variable("MYLOS_CXX", "/nowhere/g++");
  const auto error = error_of<mylos::BackendError>(
      [] { (void)emulator::compile({.text = std::string(axpy_text) + "// absent", .name = "axpy"}); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("/nowhere/g++"), HasSubstr("MYLOS_CXX"), HasSubstr("CXX")));
}

TEST(Compiler, TheCompilerVariableMayHoldSeveralWords) {
  const ScopedVariable variable("MYLOS_CXX", "env c++");
  EXPECT_NO_THROW((void)emulator::compile({.text = std::string(axpy_text) + "// words", .name = "axpy"}));
}

TEST(Compiler, ClangCompilesKernelsToo) {
  if (std::system("clang++ --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no clang++ on this machine";
  const ScopedVariable variable("MYLOS_CXX", "clang++");
  const auto program = emulator::compile({.text = R"(__global__ void reversed(double* x) {
  extern __shared__ double copy[];
  __shared__ int calls;
  int i = threadIdx.x, n = blockDim.x;
  if (i == 0) calls = 0;
  copy[i] = x[i];
  __syncthreads();
  atomicAdd(&calls, 1);
  __syncthreads();
  x[i] = copy[n - 1 - i] + calls;
})",
                                          .name = "reversed"});
  EXPECT_EQ(program->execution(), Execution::fibers);
  const DeviceArray<double> x(std::vector<double>{1, 2, 3, 4, 5});
  run(*program, {.block = {5, 1, 1}, .shared_bytes = 5 * sizeof(double)}, x.data());
  EXPECT_EQ(x.read(), (std::vector<double>{10, 9, 8, 7, 6}));
}

TEST(Compiler, OptionsOfNvrtcAreUnderstoodOrDropped) {
  constexpr const char* text =
      "#if WIDTH != 7 || !defined(FLAG) || defined(GONE)\n#error options\n#endif\n"
      "static_assert(__cplusplus >= 202002L);\n__global__ void options(int* p) { p[0] = WIDTH; }";
  const std::vector<std::vector<std::string>> spellings{
      {"-DWIDTH=7", "-DFLAG", "-DGONE", "-UGONE", "-std=c++20", "-arch=sm_90", "--use_fast_math", "-lineinfo"},
      {"-D", "WIDTH=7", "--define-macro=FLAG", "--std=c++20", "--gpu-architecture", "compute_80", "-G", "-maxrregcount",
       "32", "--fmad=false"},
  };
  for (const auto& options : spellings) {
    EXPECT_NO_THROW((void)emulator::compile({.text = text, .name = "options", .options = options}));
  }
}

TEST(Compiler, IncludeFoldersAndDeviceHeadersAreFound) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "own.hpp")
      << "#include <cstdint>\n#include <cmath>\ninline std::int64_t own() { return 42; }\n";
  const auto program = emulator::compile({.text = R"(#include <mylos/device/index.hpp>
#include "own.hpp"
extern "C" __global__ void headers(long* p, int n) { MYLOS_THREAD_1D(i, n); p[i] = own() + i; })",
                                          .name = "headers",
                                          .include_dirs = {folder.path()}});
  EXPECT_EQ(program->execution(), Execution::vector_loop);
  const DeviceArray<long> p(300);
  run(*program, {.grid = {3, 1, 1}, .block = {128, 1, 1}}, p.data(), 300);
  const auto values = p.read();
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], 42 + static_cast<long>(i));
}

// Whether threads meet is what the object file says, not what the text does.
TEST(Compiler, ThreadsMeetInHeadersToo) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "meeting.hpp")
      << "inline int first_of(int value) { __shared__ int first; if (threadIdx.x == 0) first = value; __syncthreads(); "
         "return first; }\n";
  const auto program = emulator::compile({.text = R"(#include "meeting.hpp"
extern "C" __global__ void together(int* p) { p[threadIdx.x] = first_of(40 + threadIdx.x) + threadIdx.x; })",
                                          .name = "together",
                                          .include_dirs = {folder.path()}});
  EXPECT_EQ(program->execution(), Execution::fibers);
  const DeviceArray<int> p(70);
  run(*program, {.block = {70, 1, 1}}, p.data());
  const auto values = p.read();
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], 40 + static_cast<int>(i));
}

TEST(Compiler, AChangedHeaderMakesAnotherProgram) {
  const TemporaryFolder folder;
  const emulator::Source source{.text = "#include \"beside.hpp\"\n__global__ void beside(int* p) { *p = value; }",
                                .name = "beside",
                                .file = (folder.path() / "beside.cu").string()};
  const DeviceArray<int> p(1);
  for (const int value : {3, 4}) {
    std::ofstream(folder.path() / "beside.hpp") << "constexpr int value = " << value << ";\n";
    const auto program = emulator::compile(source);
    run(*program, {}, p.data());
    EXPECT_EQ(p.read()[0], value);
  }
}

TEST(Compiler, FilesOfTheProgramNeedNoFolder) {
  static constexpr mylos::NamedText embedded[] = {
      {"/no/such/sum.hpp", "#pragma once\n#include \"parts/part.hpp\"\nconstexpr int sum = part + 1;\n"},
      {"/no/such/parts/part.hpp", "#pragma once\n#include \"../sum.hpp\"\nconstexpr int part = 41;\n"},
      {"/no/such/push/bad.hpp", "int fine;\nint broken = ;\n"},
      {"/no/such/push/lacks.hpp", "\n#include \"nowhere.hpp\"\n"}};
  emulator::Source source{.text = "#include \"../sum.hpp\"\n__global__ void push(int* p) { *p = sum; }",
                          .name = "push",
                          .file = "/no/such/push/push.cu",
                          .embedded = embedded};
  const DeviceArray<int> p(1);
  run(*emulator::compile(source), {}, p.data());
  EXPECT_EQ(p.read()[0], 42);
  // Errors are in the user's files, at their lines.
  source.text = "#include \"../sum.hpp\"\n__global__ void push(int* p) { *p = y; }";
  EXPECT_THAT(compile_error(source), AllOf(HasSubstr("/no/such/push/push.cu:2:"), HasSubstr("> 2 | __global__")));
  source.text = "#include \"bad.hpp\"\n__global__ void push(int* p) {}";
  EXPECT_THAT(compile_error(source),
              AllOf(HasSubstr("\n/no/such/push/bad.hpp:2:"), HasSubstr("> 2 | int broken = ;"),
                    HasSubstr("\n  included from /no/such/push/push.cu:1\n"), Not(HasSubstr("mylos_embedded"))));
  source.text = "#include \"lacks.hpp\"\n__global__ void push(int* p) {}";
  EXPECT_THAT(compile_error(source), AllOf(HasSubstr("/no/such/push/lacks.hpp:2:"), HasSubstr("nowhere.hpp")));
}

TEST(Compiler, ErrorsInHeadersOfAFolderShowTheirLines) {
  const TemporaryFolder folder;
  const std::string path = folder.path();
  std::ofstream(folder / "good.hpp") << "\n#include \"bad.hpp\"\n";
  std::ofstream(folder / "bad.hpp") << "int fine;\nint broken = ;\n";
  emulator::Source source{.text = "#include \"good.hpp\"\n__global__ void k() {}", .name = "k", .file = path + "/k.cu"};
  const auto chain = HasSubstr("\n  included from " + path + "/good.hpp:2\n  included from " + path + "/k.cu:1\n");
  EXPECT_THAT(compile_error(source), AllOf(HasSubstr(path + "/bad.hpp:2:"), HasSubstr("> 2 | int broken = ;"), chain));
  source.text = "#include <mylos/device/array.hpp>\n__global__ void k(mylos::Array<int, 2> a) { a(1) = 2; }";
  EXPECT_THAT(compile_error(source), AllOf(HasSubstr("give as many"), HasSubstr("from " + path + "/k.cu:1\n")));
}

TEST(Compiler, TemplatesAreInstantiatedByExpression) {
  constexpr const char* text = R"(
namespace math {
template <class T, int n> __global__ void scale(T* x) { x[threadIdx.x] *= T(n); }
})";
  const auto in_double = emulator::compile({.text = text, .name = "scale", .instantiate = "math::scale<double, 3>"});
  const auto in_int = emulator::compile({.text = text, .name = "scale", .instantiate = "math::scale<int, -2>"});
  const DeviceArray<double> x(4, 1.5);
  run(*in_double, {.block = {4, 1, 1}}, x.data());
  EXPECT_EQ(x.read(), std::vector<double>(4, 4.5));
  const DeviceArray<int> y(4, 5);
  run(*in_int, {.block = {4, 1, 1}}, y.data());
  EXPECT_EQ(y.read(), std::vector<int>(4, -10));
}

// Deduction and switch need the built-in indices as plain integers.
TEST(Compiler, TextThatNeedsPlainIndicesCompiles) {
  const auto program = emulator::compile({.text = R"(
template <class T> __device__ T largest(T a, T b) { return a < b ? b : a; }
__global__ void plain(unsigned* p) {
  unsigned v = largest(threadIdx.x, 3u);
  switch (blockIdx.x * blockDim.x + threadIdx.x) { case 5: v = 50; break; default: break; }
  p[threadIdx.x] = v;
})",
                                          .name = "plain"});
  const DeviceArray<unsigned> p(8);
  run(*program, {.block = {8, 1, 1}}, p.data());
  EXPECT_EQ(p.read(), (std::vector<unsigned>{3, 3, 3, 3, 4, 50, 6, 7}));
}

TEST(Compiler, VariablesBelongToTheirProgramAndKeepTheirValues) {
  constexpr const char* text = R"(
static __constant__ int factor = 3;
namespace app { __device__ int counter = 5; }
__global__ void globals(int* out) { out[0] = app::counter * factor; app::counter += STEP; })";
  const auto one = emulator::compile({.text = text, .name = "globals", .options = {"-DSTEP=1"}});
  const auto two = emulator::compile({.text = text, .name = "globals", .options = {"-DSTEP=10"}});
  const DeviceArray<int> out(1);
  const auto next = [&out](const emulator::Program& program) {
    run(program, {}, out.data());
    return out.read()[0];
  };
  EXPECT_EQ(next(*one), 15);
  EXPECT_EQ(next(*two), 15);
  EXPECT_EQ(next(*one), 18);
  EXPECT_EQ(next(*two), 45);
  EXPECT_EQ(next(*one), 21);
  const auto again = emulator::compile({.text = text, .name = "globals", .options = {"-DSTEP=1"}});
  EXPECT_EQ(next(*again), 15) << "an equal source is another program";
  EXPECT_EQ(next(*one), 24);
}

// Every name that the shim uses must be free for the text and its options: those that are short are tried here.
TEST(Compiler, MacrosOfTheOptionsAndTheTextMayHaveAnyName) {
  std::vector<std::string> options = {"-DF(x)=x+1", "-D", "VALUE=40", "-DGONE=1", "-UGONE"};
  std::string definitions, sum = "F(VALUE)";
  int expected = 40 + 1 + 1;
  for (const char* name :
       {"A",       "B",       "E",        "G",         "I",          "N",     "R",       "S",       "T",      "U",
        "V",       "b",       "d",        "e",         "f",          "g",     "h",       "l",       "s",      "t",
        "u",       "v",       "name",     "arguments", "kernel",     "block", "thread",  "launch",  "worker", "index",
        "value",   "wide",    "place",    "text",      "first",      "last",  "file",    "line",    "axis",   "extent",
        "extents", "strides", "from",     "to",        "size",       "bytes", "address", "compare", "update", "old",
        "now",     "aligned", "noinline", "flatten",   "visibility", "visit"}) {
    definitions += std::string("#define ") + name + " 1\n";
    options.push_back(std::string("-D") + name + "=1");
    sum += std::string(" + ") + name;
    ++expected;
  }
  const std::string body = R"(
#include <mylos/device/array.hpp>
#include <mylos/device/atomic.hpp>
#include <mylos/device/index.hpp>
__device__ __noinline__ int plus(int* out) { return atomicAdd(out, 1); }
extern "C" __global__ void sum(int* out) {
  __shared__ __align__(16) int in_block;
  MYLOS_THREAD_1D(i, 1);
#ifndef GONE
  in_block = )" + sum + R"(;
#endif
  __syncthreads();
  assert(blockDim.x == 1 && gridDim.y == 1);
  plus(&out[threadIdx.x + blockIdx.x]);
  mylos::device::atomic_add(out, in_block);
})";
  const DeviceArray<int> out(1);
  run(*emulator::compile({.text = body, .name = "sum", .options = options}), {}, out.data());
  EXPECT_EQ(out.read()[0], expected);
  // In the text they stand behind the headers: those are the user's as much as the macros.
  const auto end = body.find("__device__ __noinline__");
  run(*emulator::compile(
          {.text = body.substr(0, end) + "#define F(x) x + 1\n#define VALUE 40\n" + definitions + body.substr(end),
           .name = "sum"}),
      {}, out.data());
  EXPECT_EQ(out.read()[0], 2 * expected);
}

TEST(Compiler, HeadersOfTheOptionsComeBeforeTheText) {
  const TemporaryFolder folder;
  std::ofstream(folder / "seven.hpp") << "constexpr int seven = SEVEN;\n";
  const DeviceArray<int> out(1);
  run(*emulator::compile({.text = "__global__ void k(int* out) { out[0] = seven; }",
                          .name = "k",
                          .options = {"--pre-include=" + (folder / "seven.hpp").string(), "-DSEVEN=7"}}),
      {}, out.data());
  EXPECT_EQ(out.read()[0], 7);
}

TEST(Compiler, ParametersHaveSizes) {
  const auto program = emulator::compile({.text = R"(
#include <mylos/device/array.hpp>
struct Declared;
struct alignas(16) Four { float x[4]; };
struct Three { double x, y, z; };
__global__ void k(const Four four, Three* three, const Declared* unknown, void* nothing, char c,
                  mylos::Array<const Four, 2> fours) {})",
                                          .name = "k"});
  const auto same = [](const mylos::ParameterLayout& a, const mylos::ParameterLayout& b) {
    return a.size == b.size && a.alignment == b.alignment && a.element_size == b.element_size &&
           a.element_alignment == b.element_alignment;
  };
  const std::vector<mylos::ParameterLayout> expected = {{16, 16, 0, 0}, {8, 8, 24, 8}, {8, 8, 0, 0},
                                                        {8, 8, 0, 0},   {1, 1, 0, 0},  {40, 8, 16, 16}};
  const auto found = program->parameters();
  EXPECT_TRUE(std::ranges::equal(found, expected, same));
}

// What is loaded goes by a name, and the name of one that stays must not give it to those that come later.
TEST(Compiler, ProgramsThatCannotBeUnloadedAreNotTakenForOthers) {
  const ScopedVariable variable("MYLOS_CXX", "c++ -Wl,-z,nodelete");
  for (const int value : {1, 2, 3}) {
    const DeviceArray<int> x(1);
    run(*emulator::compile({.text = "__global__ void k(int* x) { x[0] = VALUE; }",
                            .name = "k",
                            .options = {"-DVALUE=" + std::to_string(value)}}),
        {}, x.data());
    EXPECT_EQ(x.read()[0], value);
  }
}

TEST(Compiler, ManyProgramsMayBeLoadedAtATime) {
  const emulator::Source source{.text = "__device__ int calls;\n__global__ void k(int* x) { x[0] = ++calls; }",
                                .name = "k"};
  const DeviceArray<int> x(1);
  std::vector<std::shared_ptr<const emulator::Program>> programs;
  for (int i = 0; i < 300; ++i) {
    programs.push_back(emulator::compile(source));
    run(*programs.back(), {}, x.data());
    ASSERT_EQ(x.read()[0], 1) << "each has variables of its own";
  }
  const auto descriptors = std::filesystem::directory_iterator("/proc/self/fd");
  EXPECT_LT(std::distance(begin(descriptors), end(descriptors)), 300) << "others need some as well";
}

TEST(Compiler, NoTemporaryFilesStay) {
  const TemporaryFolder folder;
  {
    const ScopedVariable variable("TMPDIR", folder.path().c_str());
    (void)emulator::compile({.text = std::string(axpy_text) + "// temporary", .name = "axpy"});
    (void)compile_error({.text = "__global__ void bad() { x; }", .name = "bad"});
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace mylos_test
