// SPDX-License-Identifier: MIT
// What CUDA adds to C++, in tables: each row is an expression in a kernel and what it must give.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>

#include "emulator/support.hpp"

namespace mylos_test {
namespace {

// One kernel that evaluates all expressions for one pair of arguments per thread: out[row * n + i].
template <class T>
std::vector<T> evaluate(const std::string& name, const std::string& type, const std::vector<std::string>& expressions,
                        const std::vector<T>& x, const std::vector<T>& y,
                        const std::vector<std::string>& options = {}) {
  std::string text = "__global__ void " + name + "(const " + type + "* xs, const " + type + "* ys, " + type +
                     "* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  " +
                     type + " x = xs[i], y = ys[i];\n";
  for (std::size_t row = 0; row < expressions.size(); ++row) {
    text += "  out[" + std::to_string(row) + " * n + i] = " + expressions[row] + ";\n";
  }
  const auto program = emulator::compile({.text = text + "}\n", .name = name, .options = options});
  const DeviceArray<T> dx(x);
  const DeviceArray<T> dy(y);
  const DeviceArray<T> out(x.size() * expressions.size());
  const auto blocks = static_cast<std::uint32_t>((x.size() + 63) / 64);
  run(*program, {.grid = {blocks, 1, 1}, .block = {64, 1, 1}}, static_cast<const T*>(dx.data()),
      static_cast<const T*>(dy.data()), out.data(), static_cast<int>(x.size()));
  return out.read();
}

template <class T>
struct Row {
  std::string expression;
  std::function<T(T, T)> reference;
};

template <class T, class Same>
void expect_rows(const std::string& name, const std::string& type, const std::vector<Row<T>>& rows,
                 const std::vector<T>& x, const std::vector<T>& y, Same same) {
  std::vector<std::string> expressions;
  for (const auto& row : rows) expressions.push_back(row.expression);
  const std::vector<T> values = evaluate(name, type, expressions, x, y);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T expected = rows[row].reference(x[i], y[i]);
      ASSERT_TRUE(same(values[row * x.size() + i], expected))
          << rows[row].expression << " for x = " << x[i] << ", y = " << y[i] << " gives " << values[row * x.size() + i]
          << ", expected " << expected;
    }
  }
}

template <class T>
bool nearly(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 4 * std::numeric_limits<T>::epsilon() * std::max(std::abs(a), std::abs(b));
}

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
  expect_rows<double>("doubles", "double", rows, xs, ys,
                      [](double a, double b) { return nearly(a, b) || std::abs(a - b) < 1e-15; });
}

TEST(Language, ProductsAreFusedWithSumsOnlyWhereAskedFor) {
  const std::vector<double> x(64, 1.0 + std::ldexp(1.0, -30));
  const std::vector<double> y(64, 1.0 + std::ldexp(1.0, -29));  // x * x, rounded
  const std::vector<std::string> expressions{"__dadd_rn(__dmul_rn(x, x), -y)", "__fma_rn(x, x, -y)", "x * x - y"};
  const double fused = std::ldexp(1.0, -60);
  for (const char* option : {"-fmad=false", "-fmad=true"}) {
    const auto values = evaluate<double>("rounded", "double", expressions, x, y, {option});
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
  expect_rows<float>("floats", "float", rows, xs, ys,
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
      R{"__CUDA_ARCH__ > 0 && MYLOS_EMULATOR", [](int, int) { return 1; }},
      R{"[=] __device__ (int k) { return x - k; }(x)", [](int, int) { return 0; }},
      R{"clock64() > 0", [](int, int) { return 1; }},
  };
  constexpr int low = std::numeric_limits<int>::min() + 1;
  auto xs = random_values<int>(400, low, std::numeric_limits<int>::max(), 5);
  const auto ys = random_values<int>(400, low, std::numeric_limits<int>::max(), 6);
  xs[0] = 0;
  xs[1] = -1;
  expect_rows<int>("integers", "int", rows, xs, ys, std::equal_to<>());
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
  const auto values = evaluate<double>("indices", "double", expressions, x, x);
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

template <class T>
struct AtomicRow {
  const char* operation;  // on `p` with `v`
  T start;
  std::function<T(T, T)> update;
};

// In one thread each, the old value and the new one; a concurrent form (several workers) and the plain one.
template <class T>
void expect_atomics(const std::string& type, const std::vector<AtomicRow<T>>& rows, const std::vector<T>& operands) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const AtomicRow<T>& r = rows[row];
    const std::string text = "__global__ void atomics(" + type + "* cells, const " + type + "* vs, " + type +
                             "* old) {\n  int i = blockIdx.x;\n  " + type +
                             " v = vs[i], *p = cells + i;\n  old[i] = " + r.operation + ";\n}";
    const auto program = emulator::compile({.text = text, .name = "atomics"});
    for (const unsigned threads : {1U, 3U}) {
      const auto scope = emulator::with({.threads = threads});
      const DeviceArray<T> cells(operands.size(), r.start);
      const DeviceArray<T> vs(operands);
      const DeviceArray<T> old(operands.size());
      run(*program, {.grid = {static_cast<std::uint32_t>(operands.size()), 1, 1}}, cells.data(),
          static_cast<const T*>(vs.data()), old.data());
      EXPECT_EQ(old.read(), std::vector<T>(operands.size(), r.start)) << type << ' ' << r.operation;
      const auto now = cells.read();
      for (std::size_t i = 0; i < operands.size(); ++i) {
        EXPECT_EQ(now[i], r.update(r.start, operands[i])) << type << ' ' << r.operation << " with " << operands[i];
      }
    }
  }
}

template <class T>
std::vector<AtomicRow<T>> integer_atomics(T start) {
  using U = std::make_unsigned_t<T>;
  return {
      {"atomicAdd(p, v)", start, [](T a, T v) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(v)); }},
      {"atomicSub_block(p, v)", start, [](T a, T v) { return static_cast<T>(static_cast<U>(a) - static_cast<U>(v)); }},
      {"atomicMin_system(p, v)", start, [](T a, T v) { return std::min(a, v); }},
      {"atomicMax(p, v)", start, [](T a, T v) { return std::max(a, v); }},
      {"atomicAnd(p, v)", start, [](T a, T v) { return static_cast<T>(a & v); }},
      {"atomicOr(p, v)", start, [](T a, T v) { return static_cast<T>(a | v); }},
      {"atomicXor(p, v)", start, [](T a, T v) { return static_cast<T>(a ^ v); }},
      {"atomicExch(p, v)", start, [](T, T v) { return v; }},
      {"atomicCAS(p, v, v + 1)", start, [](T a, T v) { return a == v ? static_cast<T>(v + 1) : a; }},
  };
}

TEST(Language, AtomicsOfSignedIntegers) {
  expect_atomics<int>("int", integer_atomics<int>(-5), {-5, 0, 7, -1000000000, 2000000000});
}
TEST(Language, AtomicsOfWideIntegers) {
  expect_atomics<unsigned long long>("unsigned long long", integer_atomics<unsigned long long>(12),
                                     {12, 0, 1ULL << 63});
}
TEST(Language, AtomicsOfUnsignedIntegersWrapAtTheirLimit) {
  expect_atomics<unsigned>("unsigned",
                           {{"atomicInc(p, v)", 7, [](unsigned a, unsigned v) { return a >= v ? 0 : a + 1; }},
                            {"atomicDec(p, v)", 7, [](unsigned a, unsigned v) { return a == 0 || a > v ? v : a - 1; }},
                            {"atomicDec(p, v)", 0, [](unsigned a, unsigned v) { return a == 0 || a > v ? v : a - 1; }}},
                           {0, 6, 7, 8, 4000000000U});
}
TEST(Language, AtomicsOfFloatingNumbers) {
  expect_atomics<float>(
      "float", {{"atomicAdd(p, v)", 1.5F, std::plus<>()}, {"atomicExch(p, v)", 1.5F, [](float, float v) { return v; }}},
      {0.25F, -3.0F});
  expect_atomics<double>("double", {{"atomicAdd_system(p, v)", 1.5, std::plus<>()}}, {0.25, -3.0});
}

// A loop of CAS on the bits ends although NaN is not equal to itself.
TEST(Language, AtomicsOnNanEnd) {
  const auto program = emulator::compile({.text = R"(__global__ void nans(double* p) {
  unsigned long long* bits = reinterpret_cast<unsigned long long*>(p);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(1.0 + __longlong_as_double(assumed)));
  } while (assumed != old);
  atomicAdd(p, 1.0);
})",
                                          .name = "nans"});
  for (const unsigned threads : {1U, 2U}) {
    const auto scope = emulator::with({.threads = threads});
    const DeviceArray<double> p(1, std::numeric_limits<double>::quiet_NaN());
    run(*program, {.grid = {4, 1, 1}, .block = {32, 1, 1}}, p.data());
    EXPECT_TRUE(std::isnan(p.read()[0]));
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
  if (t < 32) out[t] = a[1][31 - t] + pairs[t].b + bytes[124] + *counter() + outside[3] + last;
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

}  // namespace
}  // namespace mylos_test
