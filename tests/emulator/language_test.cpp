// SPDX-License-Identifier: MIT
// What CUDA adds to C++: built-in variables, memory, functions, and the mathematics that C has as well.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/expressions.hpp"
#include "emulator/findings.hpp"
#include "emulator/support.hpp"

namespace mylos_test {
namespace {

template <class T>
std::vector<Row<T>> common_math() {
  using R = Row<T>;
  return {
      R{"sqrt(x)", [](T x, T) { return std::sqrt(x); }},
      R{"rsqrt(x)", [](T x, T) { return 1 / std::sqrt(x); }},
      R{"cbrt(x) + exp(-x) + log(x)", [](T x, T) { return std::cbrt(x) + std::exp(-x) + std::log(x); }},
      R{"sin(x) * cos(y)", [](T x, T y) { return std::sin(x) * std::cos(y); }},
      R{"std::atan2(x, y)", [](T x, T y) { return std::atan2(x, y); }},
      R{"pow(x, y)", [](T x, T y) { return std::pow(x, y); }},
      R{"fmod(x, y)", [](T x, T y) { return std::fmod(x, y); }},
      R{"hypot(x, y) + copysign(x, -y)", [](T x, T y) { return std::hypot(x, y) + std::copysign(x, -y); }},
      R{"floor(x) + 10 * ceil(y) + 100 * rint(x) + trunc(-y)",
        [](T x, T y) { return std::floor(x) + 10 * std::ceil(y) + 100 * std::rint(x) + std::trunc(-y); }},
      R{"erf(x) + tgamma(y)", [](T x, T y) { return std::erf(x) + std::tgamma(y); }},
      R{"fma(x, y, x)", [](T x, T y) { return std::fma(x, y, x); }},
      R{"min(x, y) + 10 * max(x, y)", [](T x, T y) { return std::min(x, y) + 10 * std::max(x, y); }},
      R{"fabs(-x) + abs(-y)", [](T x, T y) { return x + y; }},
      R{"ldexp(x, 3) + ilogb(y)", [](T x, T y) { return std::ldexp(x, 3) + static_cast<T>(std::ilogb(y)); }},
      R{"isnan(x) + 2 * isfinite(y) + 4 * (isinf(x / 0) ? 1 : 0)", [](T, T) { return T(6); }},
  };
}

TEST(Language, DoubleMathematics) {
  const auto xs = random_values<double>(500, 0.1, 9, 1);
  const auto ys = random_values<double>(500, 0.1, 9, 2);
  auto rows = common_math<double>();
  rows.push_back({"sinpi(x)", [](double x, double) { return std::sin(std::acos(-1.0L) * x); }});
  rows.push_back({"cospi(0.5 + int(x))", [](double, double) { return 0.0; }});
  rows.push_back({"norm3d(x, y, 1.0)", [](double x, double y) { return std::sqrt(x * x + y * y + 1); }});
  rows.push_back({"__longlong_as_double(__double_as_longlong(x))", [](double x, double) { return x; }});
  rows.push_back({"__hiloint2double(__double2hiint(x), __double2loint(x))", [](double x, double) { return x; }});
  rows.push_back({"exp10(x)", [](double x, double) { return std::pow(10.0, x); }});
  // Rounded twice, though the compiler may fuse a product and a sum elsewhere.
  rows.push_back({"__dadd_rn(__dmul_rn(x, y), -x)", [](double x, double y) {
                    const volatile double product = x * y;
                    return product - x;
                  }});
  expect_rows<double>({.name = "doubles", .type = "double", .before = "#include <cmath>\n"}, rows, xs, ys,
                      [](double a, double b) { return nearly(a, b) || std::abs(a - b) < 1e-15; });
}

TEST(Language, ProductsAreFusedWithSumsOnlyWhereAskedFor) {
  const std::vector<double> x(64, 1.0 + std::ldexp(1.0, -30));
  const std::vector<double> y(64, 1.0 + std::ldexp(1.0, -29));  // x * x, rounded
  const std::vector<std::string> expressions{"__dadd_rn(__dmul_rn(x, x), -y)", "__fma_rn(x, x, -y)", "x * x - y"};
  const double fused = std::ldexp(1.0, -60);
  for (const char* option : {"-fmad=false", "-fmad=true"}) {
    const auto values = evaluate<double>({.name = "rounded", .type = "double", .options = {option}}, expressions, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(values[i], 0.0) << option;
      ASSERT_EQ(values[x.size() + i], fused) << option;
    }
    // Asked for is not promised: it needs a machine with such an instruction.
    if (std::string(option) == "-fmad=false") {
      EXPECT_EQ(values.back(), 0.0);
    }
  }
}

TEST(Language, FloatMathematics) {
  const auto xs = random_values<float>(500, 0.1F, 9, 3);
  const auto ys = random_values<float>(500, 0.1F, 9, 4);
  auto rows = common_math<float>();
  rows.push_back({"__expf(x) + __fdividef(x, y)", [](float x, float y) { return std::exp(x) + x / y; }});
  rows.push_back({"__saturatef(x - 4)", [](float x, float) { return std::clamp(x - 4, 0.0F, 1.0F); }});
  rows.push_back({"__uint_as_float(__float_as_uint(x))", [](float x, float) { return x; }});
  rows.push_back({"float(sizeof(sin(x)))", [](float, float) { return 4.0F; }});
  rows.push_back({"__frsqrt_rn(y)", [](float, float y) { return static_cast<float>(1 / std::sqrt(double{y})); }});
  // Sums of several functions may cancel: a few more last places than one function.
  expect_rows<float>({.name = "floats", .type = "float", .before = "#include <cmath>\n"}, rows, xs, ys,
                     [](float a, float b) { return nearly(a, b) || std::abs(a - b) <= 1e-5F * std::abs(b); });
}

TEST(Language, IntegerIntrinsics) {
  using R = Row<int>;
  const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
  const std::vector<R> rows{
      R{"__popc(x) + 100 * __clz(y)", [u](int x, int y) { return std::popcount(u(x)) + 100 * std::countl_zero(u(y)); }},
      R{"__ffs(x)", [u](int x, int) { return x == 0 ? 0 : std::countr_zero(u(x)) + 1; }},
      R{"__brev(x) == __brev(__brev(__brev(x))) ? int(__brev(1u << (y & 31))) : -7",
        [u](int, int y) { return static_cast<int>(u(1) << (31 - (y & 31))); }},
      R{"__mulhi(x, y)", [](int x, int y) { return static_cast<int>(std::int64_t{x} * y >> 32); }},
      R{"__umulhi(x, y)", [u](int x, int y) { return static_cast<int>(std::uint64_t{u(x)} * u(y) >> 32); }},
      R{"__mul24(x, y)",
        [u](int x, int y) {
          return static_cast<int>(u(static_cast<int>(u(x) << 8) >> 8) * u(static_cast<int>(u(y) << 8) >> 8));
        }},
      R{"__byte_perm(x, y, 0x7150)",
        [u](int x, int y) {
          return static_cast<int>((u(x) & 0xff) | (u(y) >> 8 & 0xff) << 8 | (u(x) >> 8 & 0xff) << 16 |
                                  (u(y) >> 24) << 24);
        }},
      R{"__funnelshift_l(x, y, 5)", [u](int x, int y) { return static_cast<int>(u(y) << 5 | u(x) >> 27); }},
      R{"__funnelshift_r(x, y, 5)", [u](int x, int y) { return static_cast<int>(u(y) << 27 | u(x) >> 5); }},
      R{"__sad(x, y, 3)", [](int x, int y) { return static_cast<int>(std::abs(std::int64_t{x} - y) + 3); }},
      R{"__hadd(x, y)", [](int x, int y) { return static_cast<int>((std::int64_t{x} + y) >> 1); }},
      R{"min(x, 5u) == min(unsigned(x), 5u)", [](int, int) { return 1; }},
      R{"max(x, y)", [](int x, int y) { return std::max(x, y); }},
      R{"__double2int_rz(x * 1e3) == (x > 2147483 ? 2147483647 : x < -2147483 ? -2147483647 - 1 : x * 1000)",
        [](int, int) { return 1; }},
      R{"__float2int_rn(2.5f) + 10 * __float2int_ru(2.1f) + 100 * __float2int_rd(-2.1f)",
        [](int, int) { return -268; }},
      R{"__ldg(&xs[i]) + warpSize", [](int x, int) { return static_cast<int>(static_cast<std::uint32_t>(x) + 32U); }},
      R{"sizeof(float4) + 100 * alignof(float4) + alignof(float3)", [](int, int) { return 16 + 1600 + 4; }},
      R{"make_int2(x, y).y + make_uchar4(1, 2, 3, 4).w",
        [](int, int y) { return static_cast<int>(static_cast<std::uint32_t>(y) + 4U); }},
      R{"alignof(double2) + 100 * alignof(double4) + 10000 * alignof(int2) + 1000000 * alignof(short4)",
        [](int, int) { return 16 + 1600 + 80000 + 8000000; }},
      R{"__CUDA_ARCH__ > 0", [](int, int) { return 1; }},
      R{"[=](int k) { return x - k; }(x)", [](int, int) { return 0; }},
      R{"clock64() > 0", [](int, int) { return 1; }},
  };
  constexpr int low = std::numeric_limits<int>::min() + 1;
  auto xs = random_values<int>(400, low, std::numeric_limits<int>::max(), 5);
  const auto ys = random_values<int>(400, low, std::numeric_limits<int>::max(), 6);
  xs[0] = 0;
  xs[1] = -1;
  expect_rows<int>({.name = "integers", .type = "int"}, rows, xs, ys, std::equal_to<>());
}

// The built-in indices behave as unsigned values in every expression, whatever their type is here.
TEST(Language, BuiltInIndicesAreUnsigned) {
  const std::vector<std::string> expressions{
      "blockIdx.x * blockDim.x + threadIdx.x - 100 < n",
      "threadIdx.x - 1 > 5",
      "(blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u >> 7",
      "-(blockIdx.x * blockDim.x + threadIdx.x) / 2",
      "static_cast<long>(blockIdx.x * blockDim.x + threadIdx.x) - 70",
      "double(blockIdx.x * blockDim.x + threadIdx.x) / 2",
      "[&] { auto j = blockIdx.x * blockDim.x + threadIdx.x; j += 3; ++j; j *= 2; return j % 11; }()",
      "xs[blockIdx.x * blockDim.x + threadIdx.x]",
      "min(threadIdx.x, 3) + max(blockIdx.x * blockDim.x + threadIdx.x, 9)",
      "dim3(threadIdx).x + uint3(blockDim).y + (threadIdx.x == 3 ? blockIdx.x : 7)",
      "sizeof(threadIdx.x) + sizeof(gridDim.x * blockDim.x)",
      "~threadIdx.x % 1000 + !blockIdx.x",
  };
  constexpr int n = 130;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = i * 0.25;
  const auto values = evaluate<double>({.name = "indices", .type = "double"}, expressions, x, x);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned t = i % 64;
    const unsigned b = i / 64;
    const std::vector<double> expected{double(i - 100 < unsigned{n}),
                                       double(t - 1 > 5),
                                       double(i * 2654435761U >> 7),
                                       double(-i / 2),
                                       double(i) - 70,
                                       i / 2.0,
                                       double((i + 4) * 2 % 11),
                                       x[i],
                                       double(std::min(t, 3U) + std::max(i, 9U)),
                                       double(t + 1 + (t == 3 ? b : 7)),
                                       8,
                                       double(~t % 1000 + !b)};
    for (std::size_t row = 0; row < expected.size(); ++row) {
      ASSERT_EQ(values[row * n + i], expected[row]) << expressions[row] << " in thread " << i;
    }
  }
}

TEST(Language, SpellingsOfSharedMemory) {
  const auto program = emulator::compile({.text = R"(#include <cuda_runtime.h>
#include <cstdint>
#include <cmath>
struct Pair { float a; int b; };
__device__ __forceinline__ int* counter() { static __shared__ int value; return &value; }
__shared__ int outside[4];
extern "C" __global__ void __launch_bounds__(64) spellings(int* __restrict__ out) {
  __shared__ volatile int a[2][32];
  __shared__ Pair pairs[32];
  __shared__ __align__(16) unsigned char bytes[128];
  volatile __shared__ int last;
  std::uint32_t t = threadIdx.x;
  if (t == 0) { *counter() = 5; last = 1; }
  if (t < 4) outside[t] = 10 * t;
  if (t < 32) { a[1][t] = t; pairs[t].b = t; bytes[4 * t] = t; }
  __syncthreads();
  const auto last_of = [=] __device__(int n) { return n * last; };
  if (t < 32) out[t] = a[1][31 - t] + pairs[t].b + bytes[124] + *counter() + outside[3] + last_of(1);
})",
                                          .name = "spellings"});
  const DeviceArray<int> out(32);
  run(*program, {.block = {64, 1, 1}}, out.data());
  EXPECT_EQ(out.read(), std::vector<int>(32, 31 + 31 + 5 + 30 + 1));
}

TEST(Language, StructuresGoByValueAndPrintfPrints) {
  struct Parameters {
    double scale;
    int shift[3];
  };
  const auto program = emulator::compile({.text = R"(struct Parameters { double scale; int shift[3]; };
__global__ void structures(Parameters p, double* out) {
  p.scale *= 2;
  out[threadIdx.x] = p.scale + p.shift[threadIdx.x];
  if (threadIdx.x == 2) printf("thread %d of %u%s: %.1f\n", threadIdx.x, blockDim.x, "", out[2]);
})",
                                          .name = "structures"});
  const DeviceArray<double> out(3);
  ::testing::internal::CaptureStdout();
  run(*program, {.block = {3, 1, 1}}, Parameters{1.5, {1, 2, 3}}, out.data());
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "thread 2 of 3: 6.0\n");
  EXPECT_EQ(out.read(), (std::vector<double>{4, 5, 6}));
}

TEST(Language, GridStrideLoopsInTwoDimensions) {
  const auto program = emulator::compile({.text = R"(__global__ void strides(int* out, int nx, int ny) {
  for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < ny; j += gridDim.y * blockDim.y)
    for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < nx; i += gridDim.x * blockDim.x)
      out[j * nx + i] += j * nx + i;
})",
                                          .name = "strides"});
  const DeviceArray<int> out(37 * 53, 1);
  run(*program, {.grid = {2, 3, 1}, .block = {8, 4, 1}}, out.data(), 37, 53);
  const auto values = out.read();
  for (int i = 0; i < 37 * 53; ++i) ASSERT_EQ(values[i], i + 1);
}

// What NVRTC lacks too is in Mylos' own headers there, and in the host's here.
TEST(Language, StandardHeadersHaveWhatKernelsUse) {
  const auto program = compile_by_both({.text = R"(#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <limits>
#include <type_traits>
#include <utility>
enum class Small : short { one };
struct Mixed { int x; double y; };
static_assert(std::is_same_v<std::underlying_type_t<Small>, short> && std::is_enum_v<Small> && std::is_class_v<Mixed>);
static_assert(std::is_signed_v<int> && std::is_unsigned_v<unsigned char> && !std::is_signed_v<Mixed>);
static_assert(std::is_same_v<std::make_unsigned_t<long>, unsigned long> && sizeof(std::make_signed_t<std::size_t>) == 8);
static_assert(std::is_convertible_v<int, double> && !std::is_convertible_v<Mixed, int>);
static_assert(!std::is_convertible_v<void*, int*> && std::is_constructible_v<double, int>);
static_assert(std::is_same_v<std::decay_t<const int (&)[3]>, const int*> && std::is_same_v<std::decay_t<const int&>, int>);
static_assert(std::is_same_v<std::common_type_t<int, float, double>, double> && std::is_reference_v<int&&>);
static_assert(std::conjunction_v<std::true_type, std::is_same<int, int>> && std::negation_v<std::false_type>);
static_assert(std::is_same_v<cuda::std::int32_t, int> && cuda::std::is_same_v<int, int> && sizeof(std::uint64_t) == 8);
static_assert(std::to_integer<int>(std::byte{3} << 2 | std::byte{1}) == 13);
template <std::size_t... i>
__device__ constexpr int sum(std::index_sequence<i...>) { return (int(i) + ... + 0); }
static_assert(sum(std::make_index_sequence<5>()) == 10 && sum(std::index_sequence_for<>()) == 0);
__global__ void standard(double* x, int n) {
  std::array<double, 3> a{1, 2, 3};
  std::array b{4, 5};
  std::swap(a[0], a[2]);
  std::pair p{1.0, 2};
  const auto q = std::make_pair(n, 2.0f);
  x[0] = 0;
  for (const double v : a) x[0] = 10 * x[0] + v;
  x[1] = std::min(3.0, x[0]) + std::max(1, b[1]) + std::clamp(n, 0, 3) + p.second + q.first;
  x[2] = std::exchange(n, 4) + n + std::numeric_limits<int>::digits;
  double c[2] = {7, 8};
  std::copy(c, c + 2, x + 3);
  std::fill(x + 5, x + 6, 9.0);
  Mixed m = std::move(Mixed{1, 2});
  x[6] = m.y + std::forward<int>(3) + b.size() + a.back();
})",
                                        .name = "standard"});
  const DeviceArray<double> x(7);
  run(*program, {}, x.data(), 7);
  EXPECT_EQ(x.read(), (std::vector<double>{321, 3 + 5 + 3 + 2 + 7, 7 + 4 + 31, 7, 8, 9, 2 + 3 + 2 + 1}));
}

TEST(Language, VectorTypesHaveTheDevicesAlignment) {
  const std::vector<std::string> expressions{
      "sizeof(char3) + 100 * alignof(char3) + 10000 * alignof(short4) + 1000000 * alignof(float2)",
      "sizeof(double3) + 100 * alignof(double3) + 10000 * alignof(double2) + 1000000 * alignof(int4)",
      "sizeof(longlong2) + 100 * alignof(longlong2) + 10000 * alignof(ulonglong3) + 1000000 * alignof(ushort2)",
      "dim3(3).y + 10 * dim3(make_uint3(1, 2, 3)).z + make_double4(1, 2, 3, 4).w + make_short3(5, 6, 7).y",
      "sizeof(long2) + 100 * alignof(ulong3) + make_ulonglong2(8, 9).y + make_longlong1(3).x"};
  const auto values = evaluate<double>({.name = "vectors", .type = "double"}, expressions, {0}, {0});
  EXPECT_EQ(values, (std::vector<double>{3 + 100 + 80000 + 8000000, 24 + 800 + 160000 + 16000000,
                                         16 + 1600 + 80000 + 4000000, 1 + 30 + 4 + 6, 16 + 800 + 9 + 3}));
}

// Undefined in C++, and so not to be relied upon; what is defined on the device, and here by the compiler's options.
TEST(Language, CharsHaveASignAndConversionsSaturate) {
  const std::vector<std::string> expressions{"char(x)", "__double2int_rz(x * 1e20)", "int(char(200)) + (char(-1) < 0)"};
  const auto values = evaluate<double>({.name = "chars", .type = "double"}, expressions, {-1.5}, {0});
  EXPECT_EQ(values, (std::vector<double>{-1, -2147483648.0, -56 + 1}));
}

TEST(Language, VariablesAreSetByNameBetweenLaunches) {
  constexpr const char* text = R"(__constant__ float c[4];
namespace physics { __device__ int launches = 10; static __constant__ double scale = 1; }
__global__ void reads(float* out) {
  out[threadIdx.x] = c[threadIdx.x] * physics::scale;
  if (threadIdx.x == 0) atomicAdd(&physics::launches, 1);
})";
  const emulator::Source source{.text = text, .name = "reads"};
  const auto program = compile_by_both(source);
  const auto other = emulator::compile(source);
  const DeviceArray<float> out(4);
  const auto values_of = [&](const emulator::Program& p) {
    run(p, {.block = {4, 1, 1}}, out.data());
    return out.read();
  };
  EXPECT_EQ(values_of(*program), std::vector<float>(4, 0));
  for (const float first : {1.0F, 5.0F}) {
    const std::vector<float> c{first, 2, 3, 4};
    ASSERT_EQ(program->variable("c").size(), sizeof(float[4]));
    std::memcpy(program->variable("c").data(), c.data(), sizeof(float[4]));
    EXPECT_EQ(values_of(*program), c);
  }
  const double two = 2;
  std::memcpy(program->variable("physics::scale").data(), &two, sizeof two);
  EXPECT_EQ(values_of(*program), (std::vector<float>{10, 4, 6, 8}));
  EXPECT_EQ(values_of(*other), std::vector<float>(4, 0)) << "each program has its own";
  int launches = 0;
  std::memcpy(&launches, program->variable("physics::launches").data(), sizeof launches);
  EXPECT_EQ(launches, 14);
  const auto error = error_of<mylos::LookupError>([&] { (void)program->variable("d"); });
  ASSERT_TRUE(error);
  for (const char* word : {"'d'", "reads.cu", "c", "physics::scale", "physics::launches"}) {
    EXPECT_NE(std::string(error->what()).find(word), std::string::npos) << error->what();
  }
}

// Nobody could write to them.
TEST(Language, ConstVariablesAreNotAmongThoseForTheHost) {
  const auto program = compile_by_both({.text = R"(__constant__ const int table[4] = {1, 2, 3, 4};
__constant__ int offset;
__global__ void k(int* x) { x[threadIdx.x] = table[threadIdx.x] + offset; })",
                                        .name = "k"});
  const auto error = error_of<mylos::LookupError>([&] { (void)program->variable("table"); });
  ASSERT_TRUE(error);
  for (const char* words : {"no variable 'table'", "it has offset,", "const"}) {
    EXPECT_NE(std::string(error->what()).find(words), std::string::npos) << error->what();
  }
}

// On fibers, whose stacks are of the default size.
TEST(Language, DeepRecursionAndLargeLocalArrays) {
  const auto program = compile_by_both({.text = R"(__device__ __noinline__ int depth(int n, volatile int* sum) {
  volatile int frame[4] = {n, n + 1, n + 2, n + 3};
  if (n == 0) return frame[3];
  const int below = depth(n - 1, sum);
  *sum += 1;
  return below + frame[1] - n - 1;
}
template <int bytes>
__device__ __noinline__ int fills(int seed) {
  char local[bytes];
  for (int i = 0; i < bytes; ++i) local[i] = static_cast<char>(i * seed);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < bytes; ++i) sum += local[i] & 1;
  return sum;
}
__global__ void deep(int* out) {
  int sum = 0;
  __syncthreads();
  out[threadIdx.x] = fills<65536>(threadIdx.x) + depth(1000, &sum) * 100000 + sum;
})",
                                        .name = "deep"});
  const DeviceArray<int> out(64);
  const auto scope = emulator::with({.stack_bytes = std::size_t{1} << 20});
  run(*program, {.block = {64, 1, 1}}, out.data());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out.read()[i], (i % 2 == 1 ? 32768 : 0) + 301000);
}

// Not under ASan, whose malloc ends the program.
TEST(Language, NewGivesNullWhereThereIsNoMemory) {
  const auto program = emulator::compile(
      {.text = "__global__ void k(int* p) { char* q = new char[1ull << 62]; p[0] = q == nullptr ? 7 : 1; }",
       .name = "k"});
  for (const bool checked : {false, true}) {
    const auto scope = checks_if(checked);
    const DeviceArray<int> p(1);
    run(*program, {}, p.data());
    EXPECT_EQ(p.read()[0], 7) << (checked ? "checked" : "");
  }
}

struct Refusal {
  const char* statement;
  const char* word;
};

TEST(Language, WhatIsNotThereIsRefusedWithTheLineAndTheWayRound) {
  const std::vector<Refusal> refusals{
      {"cudaTextureObject_t t = 0; p[0] = tex2D<int>(t, 0.5f, 0.5f);", "no textures and surfaces"},
      {"int v; tex1Dfetch(&v, cudaTextureObject_t(0), 3); p[0] = v;", "no textures and surfaces"},
      {"surf2Dwrite(p[0], cudaSurfaceObject_t(0), 4, 5);", "no textures and surfaces"},
      {"cudaDeviceSynchronize();", "a kernel cannot call the CUDA runtime"},
      {"p[0] = __cvta_generic_to_shared(p);", "there is no PTX"},
      {"asm(\"bar.sync 0;\");", "inline PTX"},
  };
  for (const Refusal& refusal : refusals) {
    const std::string text = "__global__ void refused(int* p) {\n  " + std::string(refusal.statement) + "\n}\n";
    const auto error =
        error_of<mylos::CompileError>([&] { (void)emulator::compile({.text = text, .name = "refused"}); });
    ASSERT_TRUE(error) << refusal.statement;
    for (const char* word : {refusal.word, "refused.cu:2:", "#ifdef MYLOS_EMULATOR"}) {
      EXPECT_NE(std::string(error->what()).find(word), std::string::npos) << word << " in " << error->what();
    }
  }
}

// By each clang++ that this machine has.
class Clang : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    // One without a C++ library compiles checked kernels and cannot link them.
    const std::string program = "echo 'int main() {}' | " + GetParam() + " -x c++ - -o /dev/null > /dev/null 2>&1";
    if (std::system(program.c_str()) != 0) GTEST_SKIP() << "no " << GetParam() << " that links programs here";
    variable_.emplace("MYLOS_CXX", GetParam().c_str());
  }
  std::optional<ScopedVariable> variable_;
};
INSTANTIATE_TEST_SUITE_P(Of, Clang, ::testing::Values("clang++", "clang++-19"), [](const auto& test) {
  return std::string(test.param == "clang++" ? "ThisMachine" : "Version19");
});

TEST_P(Clang, KeepsLargeAlignmentBesideFramesOfUnknownSize) {
  const auto program = compiled("frames", R"(__global__ void frames(int* out, int n) {
  alignas(64) volatile double big[8];
  big[threadIdx.x % 8] = threadIdx.x;
  int* const own = static_cast<int*>(__builtin_alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) own[i] = threadIdx.x + i;
  __syncthreads();
  out[threadIdx.x] = own[n - 1] + static_cast<int>(big[threadIdx.x % 8]);
})");
  const DeviceArray<int> out(64);
  run(*program, {.block = {64, 1, 1}}, out.data(), 5);
  for (int t = 0; t < 64; ++t) EXPECT_EQ(out.read()[static_cast<std::size_t>(t)], 2 * t + 4);
}

TEST_P(Clang, ChecksCopiesOfStructuresAndWhatIsAddedTo) {
  const auto scope = emulator::with({.checks = emulator::all_checks()});
  const auto copies = compiled("copies", R"(struct Three { double a, b, c; };
__global__ void copies(double* out) {
  const Three one = {1, 2, 3};
  Three other = one;
  const uint3 place = threadIdx;
  other.a += place.x;
  out[place.x] = other.a + other.c;
})");
  const DeviceArray<double> out(std::vector<double>(4, 0));
  EXPECT_THAT(findings_of([&] { run(*copies, {.block = {4, 1, 1}}, out.data()); }), ::testing::IsEmpty());
  EXPECT_EQ(out.read(), (std::vector<double>{4, 5, 6, 7}));

  const auto adds = compiled("adds", R"(__global__ void adds(double* out) {
  __shared__ double sum[4];
  sum[threadIdx.x] += 1;
  out[threadIdx.x] = 0;
})");
  const auto findings = findings_of([&] { run(*adds, {.block = {4, 1, 1}}, out.data()); });
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().kind, emulator::Kind::initialisation);
}

}  // namespace
}  // namespace mylos_test
