// SPDX-License-Identifier: MIT
#include <mylos/emulator/launch.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/both_compilers.hpp"
#include "emulator/support.hpp"

namespace mylos_test {
namespace {

using namespace std::chrono_literals;

using emulator::Kind;
using emulator::LaunchShape;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

TEST(Launch, AxpyAgreesWithThePlainLoopAtAnySizeAndBlock) {
  const auto axpy = compiled("axpy", R"(__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = a * x[i] + y[i];
})");
  for (const int n : {1, 31, 1000, 4097}) {
    for (const unsigned block : {1U, 33U, 128U, 1024U}) {
      const auto x = random_values<float>(static_cast<std::size_t>(n), -1, 1, 5U + block);
      std::vector<float> y = random_values<float>(static_cast<std::size_t>(n), -1, 1, 6U + block);
      const DeviceArray<float> dx(x);
      const DeviceArray<float> dy(y);
      const unsigned grid = (static_cast<unsigned>(n) + block - 1) / block;
      run(*axpy, {.grid = {grid, 1, 1}, .block = {block, 1, 1}}, 2.5F, static_cast<const float*>(dx.data()), dy.data(),
          n);
      const auto result = dy.read();
      for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(result[i], 2.5F * x[i] + y[i], 1e-6F) << n << ' ' << block;
    }
  }
}

struct ShapeCase { std::array<std::uint32_t, 3> grid, block; };

// Every thread once, with its own indices: without and with barriers, under either switch.
class LaunchShapes : public WithSwitch {};

TEST_P(LaunchShapes, EachThreadRunsOnceWithItsIndices) {
  const std::string body = R"((unsigned* seen, int* order) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned size = blockDim.x * blockDim.y * blockDim.z;
  SYNC
  seen[block * size + thread] += 1 + thread + 1000000 * block;
})";
  const std::vector<ShapeCase> cases{{{1, 1, 1}, {1, 1, 1}},    {{2, 3, 4}, {3, 5, 7}},  {{5, 1, 1}, {33, 1, 1}},
                                     {{3, 1, 1}, {1024, 1, 1}}, {{2, 1, 2}, {4, 4, 64}}, {{1, 7, 1}, {1, 32, 2}}};
  for (const char* sync : {"", "__syncthreads(); __syncthreads();"}) {
    const auto program = emulator::compile(
        {.text = "__global__ void shapes" + body, .name = "shapes", .options = {std::string("-DSYNC=") + sync}});
    for (const ShapeCase& c : cases) {
      const std::uint32_t threads = c.block[0] * c.block[1] * c.block[2];
      const std::uint32_t blocks = c.grid[0] * c.grid[1] * c.grid[2];
      const DeviceArray<unsigned> seen(std::size_t{threads} * blocks);
      run(*program, {.grid = c.grid, .block = c.block}, seen.data(), static_cast<int*>(nullptr));
      const auto values = seen.read();
      for (std::uint32_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(values[i], 1 + i % threads + 1000000 * (i / threads)) << sync << " block of " << threads;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Switch, LaunchShapes, switch_kinds());

TEST(Launch, ShapesBeyondTheDeviceAreRefusedWithNumbers) {
  const auto nothing = compiled("nothing", "__global__ void nothing() {}");
  const auto message = [&](const LaunchShape& shape) {
    return std::string(error_of<mylos::LaunchError>([&] { run(*nothing, shape); })->what());
  };
  EXPECT_THAT(message({.block = {1025, 1, 1}}),
              AllOf(HasSubstr("'nothing'"), HasSubstr("(1025, 1, 1)"), HasSubstr("1024")));
  EXPECT_THAT(message({.block = {32, 33, 1}}), HasSubstr("1056 threads"));
  EXPECT_THAT(message({.block = {1, 1, 65}}), HasSubstr("z axis must be from 1 to 64"));
  EXPECT_THAT(message({.block = {0, 1, 1}}), HasSubstr("x axis must be from 1"));
  EXPECT_THAT(message({.grid = {1, 65536, 1}}), HasSubstr("y axis must be from 1 to 65535"));
  EXPECT_THAT(message({.grid = {1, 1, 0}}), HasSubstr("z axis"));
  EXPECT_THAT(message({.shared_bytes = 49153}), AllOf(HasSubstr("49153 bytes of shared memory"), HasSubstr("49152")));
  EXPECT_NO_THROW(run(*nothing, {.grid = {65536, 1, 1}, .block = {1024, 1, 1}}));
}

// 2^31 threads and more along an axis: the index needs all 32 bits, and no memory grows with the grid.
TEST(Launch, IndicesBeyondTwoToThe31) {
  const auto far = compiled("far", R"(__global__ void far(unsigned* last) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 3000000255u) *last = i;
})");
  const DeviceArray<unsigned> last(1);
  run(*far, {.grid = {3000001, 1, 1}, .block = {1000, 1, 1}}, last.data());
  EXPECT_EQ(last.read()[0], 3000000255U);
}

class LaunchFibers : public WithSwitch {};

constexpr const char* block_sum = R"(
template <class T, int n> __global__ void block_sum(const T* x, T* out, int count) {
  __shared__ T part[n];
  int t = threadIdx.x, i = blockIdx.x * n + t;
  part[t] = i < count ? x[i] : T(0);
  __syncthreads();
  for (int k = n / 2; k > 0; k /= 2) {
    if (t < k) part[t] += part[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
})";

TEST_P(LaunchFibers, BlockSumsInTemplatedSharedMemory) {
  const auto program =
      emulator::compile({.text = block_sum, .name = "block_sum", .instantiate = "block_sum<double, 256>"});
  EXPECT_EQ(program->execution(), emulator::Execution::fibers);
  const int count = 256 * 9 - 17;
  const auto x = random_values<double>(static_cast<std::size_t>(count), -1, 1, 3);
  const DeviceArray<double> dx(x);
  const DeviceArray<double> out(9);
  for (const unsigned threads : {1U, 4U}) {
    const auto scope = emulator::with({.threads = threads});
    run(*program, {.grid = {9, 1, 1}, .block = {256, 1, 1}}, static_cast<const double*>(dx.data()), out.data(), count);
    const auto sums = out.read();
    EXPECT_NEAR(std::accumulate(sums.begin(), sums.end(), 0.0), std::accumulate(x.begin(), x.end(), 0.0), 1e-10);
  }
}

// Many live values of every kind across barriers: the switch must keep them all.
TEST_P(LaunchFibers, LiveValuesSurviveBarriers) {
  const auto program = compiled("live", R"(__global__ void live(double* out, int rounds) {
  __shared__ double shared[256];
  int t = threadIdx.x, n = blockDim.x;
  double a[24]; float f[16]; long q[12];
  for (int k = 0; k < 24; k++) a[k] = t * 100 + k;
  for (int k = 0; k < 16; k++) f[k] = t + k;
  for (int k = 0; k < 12; k++) q[k] = t * 7 + k;
  for (int r = 0; r < rounds; r++) {
    for (int k = 0; k < 24; k++) a[k] += k;
    __syncthreads();
    for (int k = 0; k < 16; k++) f[k] += r;
    shared[t] = a[r % 24];
    __syncthreads();
    double o = shared[(t + 1) % n];
    for (int k = 0; k < 12; k++) q[k] += q[(k + 1) % 12] & r;
    __syncthreads();
    a[0] += o;
  }
  double s = 0;
  for (double v : a) s += v;
  for (float v : f) s += v;
  for (long v : q) s += v;
  out[t] = s;
})");
  constexpr int n = 256;
  constexpr int rounds = 20;
  std::vector<std::array<double, 24>> a(n);
  std::vector<double> expected(n);
  for (int t = 0; t < n; ++t) {
    for (int k = 0; k < 24; ++k) a[t][k] = t * 100 + k;
    float f[16];
    long q[12];
    for (int k = 0; k < 16; ++k) f[k] = static_cast<float>(t + k);
    for (int k = 0; k < 12; ++k) q[k] = t * 7 + k;
    for (int r = 0; r < rounds; ++r) {
      for (int k = 0; k < 16; ++k) f[k] += static_cast<float>(r);
      for (int k = 0; k < 12; ++k) q[k] += q[(k + 1) % 12] & r;
    }
    for (const float v : f) expected[t] += v;
    for (const long v : q) expected[t] += static_cast<double>(v);
  }
  for (int r = 0; r < rounds; ++r) {
    std::vector<double> shared(n);
    for (int t = 0; t < n; ++t) {
      for (int k = 0; k < 24; ++k) a[t][k] += k;
      shared[t] = a[t][r % 24];
    }
    for (int t = 0; t < n; ++t) a[t][0] += shared[(t + 1) % n];
  }
  for (int t = 0; t < n; ++t) {
    for (const double v : a[t]) expected[t] += v;
  }
  const DeviceArray<double> out(n);
  run(*program, {.block = {n, 1, 1}}, out.data(), rounds);
  EXPECT_EQ(out.read(), expected);
}

TEST_P(LaunchFibers, DynamicSharedMemoryBelongsToTheLaunch) {
  const auto program = compiled("carve", R"(__global__ void carve(double* out, int n) {
  extern __shared__ double all[];
  double* first = all;
  float* second = reinterpret_cast<float*>(all + n);
  int t = threadIdx.x;
  first[t] = t;
  second[t] = 10.0f * t;
  __syncthreads();
  out[blockIdx.x * n + t] = first[n - 1 - t] + second[(t + 1) % n] + (reinterpret_cast<unsigned long>(all) % 128 == 0 ? 0 : 1e9);
})");
  constexpr int n = 100;
  const DeviceArray<double> out(5 * n);
  run(*program, {.grid = {5, 1, 1}, .block = {n, 1, 1}, .shared_bytes = n * 12}, out.data(), n);
  const auto values = out.read();
  for (int i = 0; i < 5 * n; ++i) ASSERT_EQ(values[i], (n - 1 - i % n) + 10.0 * ((i % n + 1) % n)) << i;
}

// Arrays of several types in one text: each is all of the launch's memory, from its first byte.
TEST_P(LaunchFibers, DynamicSharedMemoryHasTheTypeThatAKernelGivesIt) {
  const std::string text = R"(
template <class T> __global__ void of_doubles(T* out) {
  extern __shared__ double doubles[];
  doubles[threadIdx.x] = threadIdx.x + 0.5;
  __syncthreads();
  out[threadIdx.x] = doubles[blockDim.x - 1 - threadIdx.x];
}
template <class T> __global__ void of_bytes(T* out) {
  extern __shared__ signed char bytes[];
  for (int k = 0; k < 8; ++k) bytes[8 * threadIdx.x + k] = 10 * k;
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x] + (reinterpret_cast<unsigned long>(bytes) % 16 == 0 ? 0 : 1000);
})";
  constexpr int n = 64;
  std::vector<double> of_doubles, of_bytes;
  for (int t = 0; t < n; ++t) {
    of_doubles.push_back(n - t - 0.5);
    of_bytes.push_back(10 * (t % 8));
  }
  for (const auto& [name, expected] : {std::pair("of_doubles", of_doubles), std::pair("of_bytes", of_bytes)}) {
    const auto program = compile_by_both({.text = text, .name = name, .instantiate = std::string(name) + "<double>"});
    for (const bool checked : {false, true}) {
      const auto scope = checks_if(checked);
      const DeviceArray<double> out(n);
      run(*program, {.block = {n, 1, 1}, .shared_bytes = n * sizeof(double)}, out.data());
      EXPECT_EQ(out.read(), expected) << name;
    }
  }
}

// As by NVRTC, for which they are one variable.
TEST(Launch, DynamicSharedMemoryOfOneNameHasOneType) {
  EXPECT_THROW(compiled("bytes", R"(
__global__ void doubles() { extern __shared__ double x[]; x[0] = 1; }
__global__ void bytes() { extern __shared__ char x[]; x[0] = 1; })"),
               mylos::CompileError);
}

TEST_P(LaunchFibers, ReducingBarriers) {
  const auto program = compiled("votes", R"(__global__ void votes(int* out, int rounds) {
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; r++) {
    sum += __syncthreads_count(t % (r + 2) == 0);
    sum += 1000 * __syncthreads_or(t == r);
    sum += 10000 * __syncthreads_and(t != r + 95);
  }
  out[t] = sum;
})");
  constexpr int n = 96;
  constexpr int rounds = 7;
  int expected = 0;
  for (int r = 0; r < rounds; ++r) expected += (n + r + 1) / (r + 2) + 1000 + (r == 0 ? 0 : 10000);
  const DeviceArray<int> out(n);
  run(*program, {.block = {n, 1, 1}}, out.data(), rounds);
  EXPECT_EQ(out.read(), std::vector<int>(n, expected));
}

// A lock, a hand-over from a later thread to an earlier one, both between barriers: threads that wait get overtaken.
TEST_P(LaunchFibers, ThreadsMayWaitForEachOtherThroughAtomics) {
  const auto program = compiled("waiting", R"(__global__ void waiting(int* out, int* lock, int* turn) {
  __shared__ int before;
  int t = threadIdx.x, n = blockDim.x;
  if (t == 0) before = 1;
  __syncthreads();
  while (atomicAdd(turn, 0) != n - 1 - t) {}
  atomicAdd(turn, 1);
  while (atomicCAS(lock, 0, 1) != 0) {}
  out[n] = 3 * out[n] % 1000003 + t;
  atomicExch(lock, 0);
  __syncthreads();
  out[t] = out[n] + before;
})");
  constexpr int n = 50;
  const DeviceArray<int> out(n + 1);
  const DeviceArray<int> lock(1);
  const DeviceArray<int> turn(1);
  run(*program, {.block = {n, 1, 1}}, out.data(), lock.data(), turn.data());
  const auto values = out.read();
  EXPECT_EQ(turn.read()[0], n);
  for (int t = 0; t < n; ++t) ASSERT_EQ(values[t], values[n] + 1);
}

TEST_P(LaunchFibers, ThreadsThatWaitForeverAreFound) {
  const auto patience = emulator::with({.patience = 1s});
  const auto program = compiled("forever", R"(__global__ void forever(int* flag) {
  if (threadIdx.x == 3) __syncthreads();
  while (atomicAdd(flag, 0) == 0) {}
})");
  const DeviceArray<int> flag(1);
  const auto error = error_of<mylos::EmulationError>([&] { run(*program, {.block = {8, 1, 1}}, flag.data()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->findings().at(0).kind, Kind::deadlock);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("kernel 'forever'"), HasSubstr("waited for each other for 1 s")));
}

// What waits without atomics never comes back to the scheduler: only the time tells.
struct EndlessCase {
  const char* name;
  const char* text;
  emulator::Execution execution;
};

class LaunchEndless : public ::testing::TestWithParam<EndlessCase> {
 protected:
  void SetUp() override {
    if (no_time_limits != nullptr) GTEST_SKIP() << no_time_limits;
  }
};

TEST_P(LaunchEndless, LoopsAreEndedByTheTimeLimit) {
  const EndlessCase& endless = GetParam();
  const auto program = compiled(endless.name, std::string("__global__ void ") + endless.name + endless.text);
  ASSERT_EQ(program->execution(), endless.execution);
  DeviceArray<int> flag(2);
  const auto launch = [&] { run(*program, {.grid = {6, 1, 1}, .block = {4, 1, 1}}, flag.data()); };
  const auto scope = emulator::with({.time_limit = 1s});
  for (const auto& how : {emulator::Options{.threads = 1}, emulator::Options{.threads = 3},
                          emulator::Options{.checks = emulator::all_checks()}}) {
    const auto inner = emulator::with(how);
    flag.write({0, 0});
    const auto error = error_of<mylos::EmulationError>(launch);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->findings().size(), 1U);
    EXPECT_EQ(error->findings().at(0).kind, Kind::deadlock);
    // Checks may see sooner that nothing changes any more.
    EXPECT_THAT(error->what(), AllOf(HasSubstr(endless.name), AnyOf(HasSubstr("not finished after 1 s"),
                                                                    HasSubstr("what they do repeats itself"))));
    flag.write({1, 0});
    EXPECT_NO_THROW(launch()) << "the next launch works";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, LaunchEndless,
    ::testing::Values(
        EndlessCase{"loop", "(volatile int* flag) { while (*flag == 0) {} }", emulator::Execution::vector_loop},
        EndlessCase{"atomics", "(volatile int* flag) { atomicAdd((int*)flag + 1, 1); while (*flag == 0) {} }",
                    emulator::Execution::thread_loop},
        EndlessCase{"barriers", "(volatile int* flag) { do { __syncthreads(); } while (*flag == 0); }",
                    emulator::Execution::fibers},
        EndlessCase{"behind",
                    "(volatile int* flag) { __syncthreads(); if (threadIdx.x == 1) while (*flag == 0) {} "
                    "__syncthreads(); }",
                    emulator::Execution::fibers}),
    [](const auto& endless) { return std::string(endless.param.name); });

struct FailureCase {
  const char* name;
  const char* statement;
  Kind kind;
  const char* text;
  int line;
  bool refused_by_checks = false;  // before it happens
};

// After each failure the next launch works.
TEST_P(LaunchFibers, FailuresNameKernelBlockAndThread) {
  const std::vector<FailureCase> cases{
      {"asserts", "assert(value != 35);", Kind::assertion, "assertion 'value != 35' failed", 4},
      {"traps", "if (value == 35) __trap();", Kind::assertion, "__trap() was reached", 4},
      {"throws", "if (value == 35) throw value;", Kind::crash, "the kernel threw an exception", 4},
      {"allocates", "if (value == 35) out[0] = (new int[value - 36])[0];", Kind::crash, "the kernel threw an exception",
       4},
      {"divides", "out[value] = 7 / (value - 35);", Kind::arithmetic, "integer division by zero", 4},
      {"crashes", "if (value == 35) *reinterpret_cast<volatile int*>(8) = 1;", Kind::crash, "access to address 0x8", 4,
       true},
      {"recurses", "if (value == 35) out[0] = deep(1 << 28);", Kind::crash, "stack overflow", 1},
  };
  for (const FailureCase& c : cases) {
    const std::string text =
        "__device__ __noinline__ int deep(int n) { volatile int local[64]; local[n % 64] = n; return n == 0 ? 0 : "
        "deep(n - "
        "1) + local[(n + 1) % 64]; }\n__global__ void " +
        std::string(c.name) + "(int* out) {\n  int value = blockIdx.x * 10 + threadIdx.x; __syncthreads();\n  " +
        c.statement + "\n  __syncthreads(); out[value] = value;\n}\n";
    const auto program = compiled(c.name, text);
    for (const bool checked : {false, true}) {
      const auto scope = checks_if(checked);
      const bool refused = checked && c.refused_by_checks;
      const DeviceArray<int> out(200);
      const auto error =
          error_of<mylos::EmulationError>([&] { run(*program, {.grid = {5, 1, 1}, .block = {6, 1, 1}}, out.data()); });
      ASSERT_TRUE(error) << c.name;
      ASSERT_EQ(error->findings().size(), 1U) << error->what();
      const emulator::Finding& finding = error->findings().at(0);
      EXPECT_EQ(finding.kind, refused ? Kind::memory : c.kind) << c.name;
      EXPECT_EQ(finding.kernel, c.name);
      EXPECT_THAT(error->what(), HasSubstr(refused ? "a write of 4 bytes through a null pointer" : c.text)) << c.name;
      const emulator::Site& site = finding.sites.at(0);
      EXPECT_EQ(site.block.x, 3) << c.name;
      EXPECT_EQ(site.thread.x, 5) << c.name;
      EXPECT_EQ(site.line, c.line) << c.name;
      EXPECT_EQ(site.file, std::string(c.name) + ".cu");
      run(*program, {.grid = {2, 1, 1}, .block = {6, 1, 1}}, out.data());
      EXPECT_EQ(out.read()[15], 15) << c.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Switch, LaunchFibers, switch_kinds());

TEST_P(LaunchFibers, ExceptionsOfTheCxxLibraryEndTheLaunchToo) {
  const auto program = compiled("casts", R"(extern "C" void __cxa_bad_cast();
__global__ void casts(int* out) { __syncthreads(); if (threadIdx.x == 5) __cxa_bad_cast(); out[threadIdx.x] = 1; })");
  const DeviceArray<int> out(8);
  for (const bool checked : {false, true}) {
    const auto scope = checks_if(checked);
    const auto error = error_of<mylos::EmulationError>([&] { run(*program, {.block = {8, 1, 1}}, out.data()); });
    EXPECT_THAT(error->what(), AllOf(HasSubstr("the kernel threw an exception"), HasSubstr("thread (5)")));
  }
}

TEST(Launch, ThrowsInLoopsAndInFunctionsAreToldWithTheirLines) {
  const auto program = compiled("loops", R"(
__device__ __noinline__ int positive(int value) {
  if (value < 0) throw 1;
  return value;
}
__global__ void loops(int* out, int from) { out[threadIdx.x] = positive(threadIdx.x - from); })");
  EXPECT_EQ(program->execution(), emulator::Execution::vector_loop);
  const DeviceArray<int> out(8);
  EXPECT_NO_THROW(run(*program, {.block = {8, 1, 1}}, out.data(), 0));
  for (const bool checked : {false, true}) {
    const auto scope = checks_if(checked);
    const auto error = error_of<mylos::EmulationError>([&] { run(*program, {.block = {8, 1, 1}}, out.data(), 3); });
    EXPECT_THAT(error->what(), AllOf(HasSubstr("the kernel threw an exception"), HasSubstr("loops.cu:3")));
  }
}

TEST(Launch, FailuresInLoopsEndTheLaunchToo) {
  const auto program = compiled("loops", R"(__global__ void loops(int* out, int bad) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i != bad);
  out[i] = i;
})");
  EXPECT_EQ(program->execution(), emulator::Execution::vector_loop);
  const DeviceArray<int> out(64);
  const auto error =
      error_of<mylos::EmulationError>([&] { run(*program, {.grid = {2, 1, 1}, .block = {32, 1, 1}}, out.data(), 37); });
  EXPECT_THAT(error->what(), AllOf(HasSubstr("assertion 'i != bad' failed"), HasSubstr("block (1)"),
                                   HasSubstr("thread (5)"), HasSubstr("loops.cu:3")));
  run(*program, {.grid = {2, 1, 1}, .block = {32, 1, 1}}, out.data(), -1);
  EXPECT_EQ(out.read()[63], 63);
}

TEST(Launch, StackSizeIsAnOption) {
  const auto program = compiled("large", R"(__global__ void large(int* out, int n) {
  volatile char local[300000];
  for (int k = 0; k < 300000; k += 512) local[k] = k;
  __syncthreads();
  out[threadIdx.x] = local[n];
})");
  const DeviceArray<int> out(4);
  const LaunchShape shape{.block = {4, 1, 1}};
  EXPECT_THAT(error_of<mylos::EmulationError>([&] { run(*program, shape, out.data(), 512); })->what(),
              AllOf(HasSubstr("stack overflow"), HasSubstr("262144 bytes"), HasSubstr("stack_bytes")));
  const auto scope = emulator::with({.stack_bytes = 512 * 1024});
  run(*program, shape, out.data(), 1024);
  EXPECT_EQ(out.read(), std::vector<int>(4, 0));
}

// As many threads as blocks allow, one and several workers: integer sums are exact, every old value is seen once.
TEST(Launch, AtomicsAreExactWithAnyNumberOfWorkers) {
  const auto program =
      compiled("counts", R"(__global__ void counts(int* sums, double* real, unsigned char* seen, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[i % bins], i);
  atomicAdd(real, 0.5);
  seen[atomicAdd(&sums[bins], 1)] += 1;
})");
  constexpr int n = 100 * 256;
  constexpr int bins = 7;
  std::vector<int> expected(bins);
  for (int i = 0; i < n; ++i) expected[i % bins] += i;
  for (const unsigned threads : {1U, 2U, 16U}) {
    const auto scope = emulator::with({.threads = threads});
    const DeviceArray<int> sums(bins + 1);
    const DeviceArray<double> real(1);
    const DeviceArray<unsigned char> seen(n);
    run(*program, {.grid = {100, 1, 1}, .block = {256, 1, 1}}, sums.data(), real.data(), seen.data(), bins);
    auto values = sums.read();
    EXPECT_EQ(values.back(), n);
    values.pop_back();
    EXPECT_EQ(values, expected) << threads;
    EXPECT_EQ(real.read()[0], 0.5 * n);
    EXPECT_EQ(seen.read(), std::vector<unsigned char>(n, 1));
  }
}

// The last block to finish adds up what the others left: fences and atomics order plain accesses of different workers.
TEST(Launch, TheLastBlockSeesWhatTheOthersWrote) {
  const auto program = compiled("last", R"(__global__ void last(int* part, unsigned* done, int* total) {
  part[blockIdx.x] = blockIdx.x + 1;
  __threadfence();
  if (atomicInc(done, gridDim.x - 1) == gridDim.x - 1) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += part[b];
    *total += sum;
  }
})");
  const DeviceArray<int> part(500);
  const DeviceArray<unsigned> done(1);
  const DeviceArray<int> total(1);
  for (const unsigned threads : {1U, 4U}) {
    const auto scope = emulator::with({.threads = threads});
    run(*program, {.grid = {500, 1, 1}}, part.data(), done.data(), total.data());
  }
  EXPECT_EQ(total.read()[0], 2 * 500 * 501 / 2);
  EXPECT_EQ(done.read()[0], 0U);
}

TEST(Launch, LaunchesFromManyThreads) {
  const auto add = compiled("add", "__global__ void add(int* sum) { atomicAdd(sum, 1); }");
  const auto sum = emulator::compile({.text = block_sum, .name = "block_sum", .instantiate = "block_sum<int, 64>"});
  const DeviceArray<int> total(1);
  std::vector<int> failures(6);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      const auto scope = emulator::with({.threads = static_cast<unsigned>(t % 3 + 1)});
      const DeviceArray<int> x(64, t);
      const DeviceArray<int> out(4);
      for (int repeat = 0; repeat < 30; ++repeat) {
        run(*add, {.grid = {4, 1, 1}, .block = {32, 1, 1}}, total.data());
        run(*sum, {.grid = {4, 1, 1}, .block = {64, 1, 1}}, static_cast<const int*>(x.data()), out.data(), 64);
        failures[t] += out.read() != std::vector<int>{64 * t, 0, 0, 0};
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, std::vector<int>(6, 0));
  EXPECT_EQ(total.read()[0], 6 * 30 * 4 * 32);
}

}  // namespace
}  // namespace mylos_test
