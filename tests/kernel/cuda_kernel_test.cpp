// SPDX-License-Identifier: MIT
#include <mylos/kernel/cuda_kernel.hpp>

#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/core/conversions.hpp>

#include "kernel/random_views.hpp"
#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;
template <class T>
using DeviceView = Kokkos::View<T, mylos::DeviceSpace>;

// One kernel for most refusals: every way to take an argument.
const CudaKernel& sample() {
  static const CudaKernel kernel(R"cuda(
#include <mylos/device/array.hpp>
struct Pair { double a, b; };
extern "C" __global__ void sample(const double* in, double* out, mylos::Array<float, 2> matrix, int count, Pair pair) {
  out[0] = in[0] + pair.b + count + matrix(1, 0);
})cuda",
                                 "sample");
  return kernel;
}

struct Pair { double a, b; };

// What fits `sample`; each test replaces one argument.
struct Fitting {
  DeviceView<double*> in{"in", 1}, out{"out", 1};
  DeviceView<float**> matrix{"matrix", 2, 2};
  int count = 3;
  Pair pair{1, 2};
};

template <class E, class... A>
std::string refusal(const A&... arguments) {
  const std::string text = thrown<E>([&] { sample()(arguments...); });
  EXPECT_TRUE(contains(text, {"kernel 'sample'", "parameter", "argument"}));
  return text;
}

double first(const DeviceView<double*>& view) { return elements(view).at(0); }

TEST(CudaKernel, PassesEveryKindOfArgument) {
  const Fitting f;
  Kokkos::deep_copy(f.in, 10.0);
  Kokkos::deep_copy(f.matrix, 0.5F);
  sample()(f.in, f.out, f.matrix, f.count, f.pair);
  EXPECT_EQ(first(f.out), 15.5);
  const DeviceView<const double*> constant = f.in;
  sample()(constant, f.out, f.matrix, std::int64_t(-3), f.pair);
  EXPECT_EQ(first(f.out), 9.5);
}

TEST(CudaKernel, WrongCountShowsBothLists) {
  const Fitting f;
  const std::string text = refusal<mylos::SignatureError>(f.in, f.out);
  EXPECT_TRUE(contains(text, {"2 arguments given, 5 parameters", "->  3", "Array<float, 2> matrix", "(none)"}));
  EXPECT_TRUE(
      contains(refusal<mylos::SignatureError>(f.in, f.out, f.matrix, 1, f.pair, 7), {"6 arguments", "->  6", "int"}));
}

TEST(CudaKernel, WrongElementTypeIsNamed) {
  const Fitting f;
  const DeviceView<float*> narrow("narrow", 7);
  const std::string text = refusal<mylos::SignatureError>(narrow, f.out, f.matrix, 1, f.pair);
  EXPECT_TRUE(contains(text, {"argument 1", "'narrow'", "View<float*, MylosDevice>", "extents (7)", "const double* in",
                              "->  1", "pass a View of double"}));
}

TEST(CudaKernel, ConstElementsDoNotFitAPointerThatWrites) {
  const Fitting f;
  const DeviceView<const double*> constant = f.out;
  EXPECT_TRUE(contains(refusal<mylos::SignatureError>(f.in, constant, f.matrix, 1, f.pair),
                       {"argument 2", "'out'", "const", "double* out"}));
}

TEST(CudaKernel, WrongRankIsNamed) {
  const Fitting f;
  const DeviceView<double**> matrix("square", 2, 2);
  EXPECT_TRUE(contains(refusal<mylos::SignatureError>(f.in, matrix, f.matrix, 1, f.pair),
                       {"argument 2", "rank 2", "mylos::Array<double, 2>", "flat_layout"}));
  const DeviceView<float*> row("row", 2);
  EXPECT_TRUE(
      contains(refusal<mylos::SignatureError>(f.in, f.out, row, 1, f.pair), {"argument 3", "rank 1", "rank 2"}));
}

TEST(CudaKernel, ScalarsAndViewsAreNotExchanged) {
  const Fitting f;
  EXPECT_TRUE(
      contains(refusal<mylos::SignatureError>(1.0, f.out, f.matrix, 1, f.pair), {"argument 1", "takes a View"}));
  double* const raw = f.in.data();
  EXPECT_TRUE(
      contains(refusal<mylos::SignatureError>(raw, f.out, f.matrix, 1, f.pair), {"argument 1", "raw device pointer"}));
  EXPECT_TRUE(
      contains(refusal<mylos::SignatureError>(f.in, f.out, f.matrix, f.in, f.pair), {"argument 4", "takes a value"}));
  EXPECT_TRUE(contains(refusal<mylos::SignatureError>(f.in, f.out, f.matrix, f.pair, f.pair),
                       {"argument 4", "does not convert"}));
  EXPECT_TRUE(contains(refusal<mylos::SignatureError>(f.in, f.out, f.matrix, 1, 2.0), {"argument 5", "class", "Pair"}));
  EXPECT_TRUE(contains(refusal<mylos::SignatureError>(f.in, f.out, f.matrix, std::complex<double>(1), f.pair),
                       {"argument 4", "complex<double>"}));
}

TEST(CudaKernel, HostViewsAreRefusedAndNotCopied) {
  const Fitting f;
  const Kokkos::View<double*, mylos::HostSpace> host("here", 1);
  const std::string text = refusal<mylos::SpaceError>(host, f.out, f.matrix, 1, f.pair);
  EXPECT_TRUE(contains(text, {"argument 1", "'here'", "View<double*, Host>", "mylos::to_device"}));
}

TEST(CudaKernel, GapsAreRefusedByPointersAndTakenByArrays) {
  const Fitting f;
  const DeviceView<double**> wide("wide", 4, 4);
  const auto row = Kokkos::subview(wide, 1, Kokkos::ALL);
  EXPECT_TRUE(contains(refusal<mylos::ShapeError>(row, f.out, f.matrix, 1, f.pair),
                       {"argument 1", "'wide'", "strides (4)", "contiguous", "mylos::Array", "mylos::as_contiguous"}));
  const auto column = Kokkos::subview(wide, Kokkos::ALL, 1);
  EXPECT_NO_THROW(sample()(column, f.out, f.matrix, 1, f.pair));
  const auto single = Kokkos::subview(wide, 1, std::pair(0, 1));
  EXPECT_NO_THROW(sample()(single, f.out, f.matrix, 1, f.pair)) << "one element has no gaps";
  Kokkos::View<float***, Kokkos::LayoutRight, mylos::DeviceSpace> cube("cube", 2, 2, 3);
  Kokkos::deep_copy(cube, 2.0F);
  EXPECT_NO_THROW(sample()(f.in, f.out, Kokkos::subview(cube, Kokkos::ALL, Kokkos::ALL, 2), 1, f.pair));
  EXPECT_EQ(first(f.out), 1 + 2 + 2);
}

TEST(CudaKernel, TypesComeBeforeSpacesBeforeShapesBeforeValues) {
  const Fitting f;
  const Kokkos::View<float*, mylos::HostSpace> wrong_type_and_space("wrong", 1);
  const Kokkos::View<double*, mylos::HostSpace> host("host", 1);
  const DeviceView<double**> wide("wide", 4, 4);
  const auto row = Kokkos::subview(wide, 1, Kokkos::ALL);
  const std::int64_t large = std::int64_t(1) << 40;
  refusal<mylos::SignatureError>(host, wrong_type_and_space, f.matrix, large, f.pair);
  refusal<mylos::SpaceError>(row, host, f.matrix, large, f.pair);
  refusal<mylos::ShapeError>(row, f.out, f.matrix, large, f.pair);
  refusal<mylos::RangeError>(f.in, f.out, f.matrix, large, f.pair);
  EXPECT_EQ(first(f.out), 0) << "nothing ran";
}

TEST(CudaKernel, EmptyWorkChecksItsArguments) {
  const Fitting f;
  const CudaKernel broken("__global__ void broken(double* x) { this does not compile; }", "broken");
  EXPECT_NO_THROW(broken({.threads = 0}, f.in)) << "nothing is compiled";
  EXPECT_FALSE(broken.is_compiled());
  thrown<mylos::SignatureError>([&] { broken({.threads = 0}, f.matrix); });
}

TEST(CudaKernel, ObjectsOfOneTextHaveTheirOwnVariables) {
  constexpr const char* text = "__device__ int calls; extern \"C\" __global__ void k(int* n) { n[0] = ++calls; }";
  const Kokkos::View<int*, mylos::DeviceSpace> n("n", 1);
  const auto calls = [&n](const CudaKernel& kernel) {
    kernel({.threads = 1, .block = 1}, n);
    return mylos::to_host(n)(0);
  };
  const CudaKernel one(text, "k"), other(text, "k");
  EXPECT_EQ(calls(one), 1);
  EXPECT_EQ(calls(one), 2);
  EXPECT_EQ(calls(other), 1);
  EXPECT_EQ(calls(CudaKernel(one)), 3) << "a copy is the same kernel";
}

TEST(CudaKernel, FlatLayoutLetsAPointerTakeAMatrix) {
  const char* const text = R"cuda(
extern "C" __global__ void number(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
})cuda";
  using Left = Kokkos::View<int**, Kokkos::LayoutLeft, mylos::DeviceSpace>;
  using Right = Kokkos::View<int**, Kokkos::LayoutRight, mylos::DeviceSpace>;
  const CudaKernel left(text, "number", {.flat_layout = mylos::FlatLayout::left});
  const CudaKernel right(text, "number", {.flat_layout = mylos::FlatLayout::right});
  const Left a("a", 3, 4);
  left({.threads = 12}, a, 12);
  EXPECT_EQ(mylos::to_host(a)(2, 3), 2 + 3 * 3);
  const Right b("b", 3, 4);
  right({.threads = 12}, b, 12);
  EXPECT_EQ(mylos::to_host(b)(2, 3), 2 * 4 + 3);
  EXPECT_TRUE(contains(thrown<mylos::ShapeError>([&] { left({.threads = 12}, b, 12); }),
                       {"'b'", "strides (4, 1)", "flat_layout left"}));
  EXPECT_TRUE(contains(thrown<mylos::ShapeError>([&] { right({.threads = 12}, a, 12); }),
                       {"'a'", "strides (1, 3)", "flat_layout right"}));
  EXPECT_NO_THROW(left({.threads = 4}, Right("row", 1, 4), 4)) << "a single row is in both orders";
}

TEST(CudaKernel, ContiguousArraysTakeNoGaps) {
  const CudaKernel kernel(R"cuda(
#include <mylos/device/array.hpp>
extern "C" __global__ void fill(mylos::ContiguousArray<double, 2> a) {
  for (long long n = 0; n < a.size(); ++n) a[n] = n;
})cuda",
                          "fill", {.block = 1});
  const DeviceView<double**> whole("whole", 4, 3);
  kernel({.threads = 1}, whole);
  EXPECT_EQ(mylos::to_host(whole)(1, 2), 1 + 2 * 4);
  const auto part = Kokkos::subview(whole, std::pair(0, 2), Kokkos::ALL);
  EXPECT_TRUE(
      contains(thrown<mylos::ShapeError>([&] { kernel({.threads = 1}, part); }), {"'whole'", "strides (1, 4)"}));
}

TEST(CudaKernel, TemplatesAreInstantiated) {
  const char* const text = R"cuda(
template <class T, int N>
__global__ void repeat(T* x) {
  for (int n = 0; n < N; ++n) x[0] += T(1) / 2;
})cuda";
  const CudaKernel kernel(text, "repeat", {.block = 1, .instantiate = "repeat<double, 3>"});
  const DeviceView<double*> x("x", 1);
  kernel(x);
  EXPECT_EQ(first(x), 1.5);
  EXPECT_EQ(kernel.signature().parameters.at(0).type, "double");
}

TEST(CudaKernel, PlainNamesFindKernelsInNamespaces) {
  const char* const text = R"cuda(
namespace app {
__global__ void one(double* x) { x[0] = 1; }
template <class T = double>
__global__ void two(T* x) { x[0] = T(2); }
static __global__ void hidden(double* x) { x[0] = 3; }
})cuda";
  const DeviceView<double*> x("x", 1);
  CudaKernel(text, "one")(x);
  EXPECT_EQ(first(x), 1);
  CudaKernel(text, "two")(x);
  EXPECT_EQ(first(x), 2);
  CudaKernel(text, "app::two", {.instantiate = "two<double>"})(x);
  EXPECT_EQ(first(x), 2);
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { CudaKernel(text, "hidden")(x); }),
                       {"'hidden'", "static", "take 'static' away"}));
}

TEST(CudaKernel, FilesGiveTheirKernels) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "two.hpp", "#pragma once\n#define VALUE 4\n");
  mylos::write_file_atomically(folder / "two.cu",
                               "#include \"two.hpp\"\n"
                               "__global__ void two(int* x) { x[0] = VALUE; }\n"
                               "__global__ void other(int* x) { x[0] = -VALUE; }\n");
  const auto value = [](const CudaKernel& kernel) {
    const DeviceView<int*> x("x", 1);
    kernel(x);
    int result = 0;
    Kokkos::deep_copy(result, Kokkos::subview(x, 0));
    return result;
  };
  const CudaKernel two = CudaKernel::from_file(folder / "two.cu");
  EXPECT_EQ(two.name(), "two");
  EXPECT_EQ(value(two), 4);
  EXPECT_EQ(two.included_headers(), std::vector{std::filesystem::path(folder / "two.hpp")});
  EXPECT_EQ(value(CudaKernel::from_file(folder / "two.cu", "other")), -4);
  const std::map<std::string, CudaKernel> all = CudaKernel::all_from_file(folder / "two.cu");
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(value(all.at("other")), -4);

  mylos::write_file_atomically(folder / "empty.cu", "// nothing\n");
  EXPECT_TRUE(
      contains(thrown<mylos::LookupError>([&] { static_cast<void>(CudaKernel::all_from_file(folder / "empty.cu")); }),
               {"empty.cu", "__global__"}));
}

TEST(CudaKernel, AMissingFileIsNamed) {
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([] { (void)CudaKernel::from_file("nowhere/push.cu"); }),
                       {"'nowhere/push.cu'", "no such file", "a relative one begins at"}));
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([] { (void)CudaKernel::all_from_file("/"); }), {"is no file"}));
}

TEST(CudaKernel, AMissingNameListsThoseThatExist) {
  const CudaKernel kernel("__global__ void push(int* x) {}\n__global__ void pull(int* x) {}", "pusch");
  const std::string text = thrown<mylos::LookupError>([&] { kernel(DeviceView<int*>("x", 1)); });
  EXPECT_TRUE(contains(text, {"pusch", "push", "pull"}));
}

const char* const with_error =
    "extern \"C\" __global__ void broken(double* x) {\n  int unused;\n  x[0] = undeclared;\n}\n";

TEST(CudaKernel, ErrorsInTheTextAreShownWithNumberedLines) {
  const CudaKernel kernel(with_error, "broken");
  const std::string emulated = thrown<mylos::CompileError>([&] { kernel(DeviceView<double*>("x", 1)); });
  EXPECT_TRUE(contains(emulated, {"broken", "3 |", "x[0] = undeclared;", "undeclared"}));
  const std::string nvrtc = thrown<mylos::CompileError>([&] { static_cast<void>(kernel.compile("sm_90")); });
  EXPECT_TRUE(contains(nvrtc, {"broken", "3 |", "x[0] = undeclared;", "undeclared"}));
  EXPECT_FALSE(kernel.is_compiled());
}

TEST(CudaKernel, WithoutACompilerTheReasonIsTold) {
  const int status = Child([] {
                       const ScopedVariable compiler("MYLOS_CXX", "/no/such/compiler");
                       const CudaKernel kernel("__global__ void lonely(int* x) { x[0] = 12345; }", "lonely");
                       const std::string text = thrown<mylos::BackendError>([&] { kernel(DeviceView<int*>("x", 1)); });
                       EXPECT_TRUE(contains(text, {"/no/such/compiler", "MYLOS_CXX"}));
                       if (::testing::Test::HasFailure()) ::_exit(2);
                     }).wait();
  EXPECT_EQ(status, 0);
}

TEST(CudaKernel, NvrtcCompilesForRealArchitectures) {
  for (const char* architecture : {"sm_80", "sm_90", "sm_100"}) {
    const mylos::CompiledKernel compiled = sample().compile(architecture);
    EXPECT_EQ(compiled.name, "sample");
    EXPECT_EQ(compiled.architecture, architecture);
    EXPECT_EQ(compiled.image.substr(1, 3), "ELF");
  }
  EXPECT_TRUE(contains(sample().compile("compute_80").image, {".target sm_80", "sample"}));
}

TEST(CudaKernel, CopiesShareWhatIsCompiled) {
  const CudaKernel kernel("__global__ void shared_state(int* x) { x[0] = 1; }", "shared_state");
  const CudaKernel copy = kernel;
  EXPECT_FALSE(copy.is_compiled());
  kernel(DeviceView<int*>("x", 1));
  EXPECT_TRUE(copy.is_compiled());
}

TEST(CudaKernel, RecompilingReadsHeadersAgain) {
  const TemporaryFolder folder;
  const auto write_header = [&](int value) {
    mylos::write_file_atomically(folder / "value.hpp", "#define VALUE " + std::to_string(value) + "\n");
  };
  write_header(1);
  CudaKernel kernel("#include \"value.hpp\"\n__global__ void value(double* x) { x[0] = VALUE; }", "value",
                    {.include_dirs = {folder.path()}});
  const DeviceView<double*> x("x", 1);
  kernel(x);
  write_header(2);
  kernel(x);
  EXPECT_EQ(first(x), 1);
  kernel.recompile();
  kernel(x);
  EXPECT_EQ(first(x), 2);
}

TEST(CudaKernel, IsCalledFromSeveralThreadsAtOnce) {
  const CudaKernel kernel("__global__ void fill(int* x, int a) { x[blockIdx.x] = a; }", "fill", {.block = 1});
  std::vector<DeviceView<int*>> views;
  for (int n = 0; n < 8; ++n) views.emplace_back("x", 50);
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < 8; ++n) threads.emplace_back([&, n] { kernel(views[static_cast<std::size_t>(n)], n + 1); });
  }
  for (int n = 0; n < 8; ++n) {
    const auto host = mylos::to_host(views[static_cast<std::size_t>(n)]);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(host(i), n + 1);
  }
}

TEST(CudaKernel, AHostPointerIsNoViewOfTheDevice) {
  double on_host[3] = {};
  const Kokkos::View<double*, mylos::DeviceSpace, Kokkos::MemoryUnmanaged> lie(on_host, 3);
  const char* const text = "__global__ void set(double* x, int n) { if (n > 0) x[0] = n; }";
  const auto refusal = [&](const CudaKernel& kernel, const auto& view, int n) {
    return thrown<mylos::SpaceError>([&] { kernel({.threads = 1}, view, n); });
  };
  EXPECT_TRUE(contains(refusal(CudaKernel(text, "set"), lie, 1),
                       {"kernel 'set'", "argument 1", "extents (3)", "parameter 'double* x'", "its address",
                        "not of the emulated device", "mylos::DeviceSpace"}));
  EXPECT_TRUE(contains(refusal(CudaKernel(text, "set", {.check_signature = false}), lie, 1),
                       {"kernel 'set'", "argument 1", "its address"}));
  const CudaKernel kernel(text, "set");
  EXPECT_NO_THROW(kernel({.threads = 1}, Kokkos::subview(lie, std::pair(1, 1)), 0)) << "nothing is there to be used";
  const DeviceView<double*> x("x", 3);
  kernel({.threads = 1}, Kokkos::View<double*, mylos::DeviceSpace, Kokkos::MemoryUnmanaged>(x.data(), 3), 7);
  EXPECT_EQ(first(x), 7) << "a pointer of the device is one";
}

TEST(CudaKernel, UncheckedArgumentsArePassedAsTheyAre) {
  const CudaKernel kernel("#define PARAMETERS double *x, int n\n__global__ void macro(PARAMETERS) { x[0] = n; }",
                          "macro", {.check_signature = false});
  const DeviceView<double*> x("x", 1);
  kernel(x, 5);
  EXPECT_EQ(first(x), 5);
}

TEST(CudaKernel, CanBeCalledAfterItWasMoved) {
  const Kokkos::View<double*, mylos::DeviceSpace> x("x", 2);
  mylos::CudaKernel first("extern \"C\" __global__ void fill(double* x, double a) { x[threadIdx.x] = a; }", "fill");
  const mylos::CudaKernel second = std::move(first);
  second({.grid = 1, .block = 2}, x, 0.5);
  first({.grid = 1, .block = 2}, x, 1.5);  // NOLINT(bugprone-use-after-move): that is what is tested
  EXPECT_EQ(elements(x), (std::vector<double>{1.5, 1.5}));
}

}  // namespace
}  // namespace mylos_test
