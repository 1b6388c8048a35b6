// SPDX-License-Identifier: MIT
// Barriers that not all threads of a block come to: found, with the threads and lines of both sides, and never waited
// for. Barriers that look like that, and are right.
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "device/every_architecture.hpp"
#include "emulator/support.hpp"

namespace mylos_test {
namespace {

using emulator::Kind;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Barriers : public WithSwitch {};

INSTANTIATE_TEST_SUITE_P(Switch, Barriers, switch_kinds());

/// Kernel `name`(int* out, int n), whose body begins in line 2; block 1 of 3 is given n, the others 0. Each block has a
/// part of `out` of its own, with an element for each thread.
struct Diverging {
  const char* name;
  const char* body;
  int n;
  int line, other_line;  // 0: none
  const char* words[3];
};

std::string text_of(const char* name, const char* body) {
  return "extern \"C\" __global__ void " + std::string(name) +
         "(int* out, int of_block_1) { out += blockIdx.x * blockDim.x;\n" + body + "\n}\n";
}

constexpr Diverging diverging[] = {
    {"early_return",
     R"(  int t = threadIdx.x, n = blockIdx.x == 1 ? of_block_1 : 8;
  if (t >= n) return;
  __syncthreads();
  out[t] = t;
  __syncthreads();)",
     5,
     4,
     0,
     {"threads 0 to 4 wait at a barrier", "threads 5 to 7 left the kernel", "MYLOS_EMULATOR_EXITED=arrive"}},
    {"return_between",
     R"(  int t = threadIdx.x, n = blockIdx.x == 1 ? of_block_1 : 8;
  __syncthreads();
  if (t == n) return;
  out[t] = t;
  __syncthreads();)",
     3,
     6,
     0,
     {"threads 0 to 2 and 4 to 7 wait at a barrier", "thread 3 left the kernel"}},
    {"two_branches",
     R"(  int t = threadIdx.x, n = blockIdx.x == 1 ? of_block_1 : 1;
  if (t % n)
    __syncthreads();
  else
    __syncthreads();
  out[t] = t;)",
     2,
     6,
     4,
     {"threads 0, 2, 4 and 6 wait at the barrier in line 6", "threads 1, 3, 5 and 7 at another one, in line 4"}},
    {"one_line",
     R"(  int n = blockIdx.x == 1 ? of_block_1 : 1;
  if (threadIdx.x % n) __syncthreads(); else __syncthreads();)",
     2,
     3,
     3,
     {"line 3, column ", "threads 1, 3, 5 and 7"}},
    {"even_ones",
     R"(  int n = blockIdx.x == 1 ? of_block_1 : 1;
  if (threadIdx.x % n == 0) __syncthreads();
  out[threadIdx.x] = 1;
  __syncthreads();)",
     2,
     3,
     5,
     {"threads 0, 2, 4 and 6 wait at the barrier in line 3", "in line 5"}},
    {"trip_counts",
     R"(  int last = blockIdx.x == 1 ? threadIdx.x : of_block_1;
  for (int k = 0; k <= last; k++) {
    out[threadIdx.x] += k;
    __syncthreads();
  }
  __syncthreads();)",
     9,
     7,
     5,
     {"thread 0 wait", "threads 1 to 7"}},
    {"continues",
     R"(  int skipped = blockIdx.x == 1 ? threadIdx.x : of_block_1;
  for (int k = 0; k < 4; k++) {
    if (k == skipped) continue;
    __syncthreads();
  }
  __syncthreads();)",
     9,
     7,
     5,
     {"threads 0 to 3 wait at the barrier in line 7", "threads 4 to 7"}},
    {"goes_past",
     R"(  if (blockIdx.x == 1 && threadIdx.x == of_block_1) goto past;
  __syncthreads();
past:
  out[threadIdx.x] = 1;)",
     6,
     3,
     0,
     {"threads 0 to 5 and 7 wait at a barrier", "thread 6 left the kernel"}},
    {"counts_and_syncs",
     R"(  int n = blockIdx.x == 1 ? of_block_1 : 0;
  if (threadIdx.x < n) {
    out[0] = __syncthreads_count(1);
  } else {
    out[1] = __syncthreads_or(1);
  }
  __syncthreads();)",
     3,
     4,
     6,
     {"threads 0 to 2 wait at the barrier in line 4", "threads 3 to 7 at another one, in line 6"}},
};

TEST_P(Barriers, ThatThreadsDoNotMeetAtAreFoundWithBothLines) {
  for (const Diverging& c : diverging) {
    const auto program = compiled(c.name, text_of(c.name, c.body));
    for (const unsigned threads : {1U, 2U}) {
      const auto scope = emulator::with({.threads = threads});
      const DeviceArray<int> out(64);
      const auto error = error_of<mylos::EmulationError>(
          [&] { run(*program, {.grid = {3, 1, 1}, .block = {8, 1, 1}}, out.data(), c.n); });
      ASSERT_TRUE(error) << c.name;
      ASSERT_EQ(error->findings().size(), 1U) << c.name;
      const emulator::Finding& finding = error->findings().front();
      EXPECT_EQ(finding.kind, Kind::barrier) << c.name;
      EXPECT_EQ(finding.kernel, c.name);
      for (const char* word : c.words) EXPECT_THAT(finding.text, HasSubstr(word == nullptr ? "" : word)) << c.name;
      ASSERT_EQ(finding.sites.size(), 2U) << c.name;
      EXPECT_EQ(finding.sites[0].block.x, 1) << c.name;
      EXPECT_EQ(finding.sites[0].file, std::string(c.name) + ".cu");
      EXPECT_EQ(finding.sites[0].line, c.line) << c.name;
      EXPECT_EQ(finding.sites[1].line, c.other_line) << c.name;
      EXPECT_EQ(finding.sites[1].file.empty(), c.other_line == 0) << c.name;
    }
  }
}

struct Meeting {
  const char* name;
  const char* body;
};

constexpr Meeting meeting[] = {
    {"uniform_branch",
     R"(  if (blockIdx.x % 2) { __syncthreads(); out[threadIdx.x] = 1; } else { __syncthreads(); out[threadIdx.x] = 2; }
  if (of_block_1 > 3) __syncthreads();)"},
    {"uniform_trips",
     R"(  for (int k = 0; k <= blockIdx.x; k++) { if (k == of_block_1) continue; __syncthreads(); }
  while (__syncthreads_count(threadIdx.x < blockIdx.x) > of_block_1) {})"},
    {"several_in_a_line",
     R"(  __syncthreads(); __syncthreads(); out[threadIdx.x] = __syncthreads_and(1) + __syncthreads_or(0);)"},
    {"leaves_behind_the_last",
     R"(  __syncthreads();
  if (threadIdx.x > of_block_1) return;
  out[threadIdx.x] = 1;)"},
    // One barrier in the text, and one instruction of a GPU if it is not inlined.
    {"same_in_helper",
     R"(  struct Helper { static __device__ void sync() { __syncthreads(); } };
  if (threadIdx.x % 2) Helper::sync(); else Helper::sync();)"},
};

TEST_P(Barriers, ThatAllThreadsMeetAtAreAccepted) {
  for (const Meeting& c : meeting) {
    const auto program = compiled(c.name, text_of(c.name, c.body));
    for (const bool checked : {false, true}) {
      const auto scope = checks_if(checked);
      for (const unsigned block : {1U, 8U, 40U, 64U}) {
        const DeviceArray<int> out(std::size_t{3} * block);
        EXPECT_NO_THROW(run(*program, {.grid = {3, 1, 1}, .block = {block, 1, 1}}, out.data(), 5)) << c.name << block;
      }
    }
  }
}

TEST(BarrierTexts, CompileForEveryArchitecture) {
  std::string text;
  for (const Diverging& c : diverging) text += text_of(c.name, c.body);
  for (const Meeting& c : meeting) text += text_of(c.name, c.body);
  compiles_for_every_architecture(text);
}

// What the barrier is in, when it is one of Mylos' own functions: the user's line.
TEST(BarriersOfMylos, AreReportedWhereTheyAreCalled) {
  const auto program = compiled("sums", R"(#include <mylos/device.hpp>
extern "C" __global__ void sums(double* total, const double* x, int n) {
  MYLOS_THREAD_1D(i, n);
  mylos::device::block_sum_to(total, x[i]);
})");
  const DeviceArray<double> total(1);
  const DeviceArray<double> x(64, 1.0);
  const auto error = error_of<mylos::EmulationError>(
      [&] { run(*program, {.block = {64, 1, 1}}, total.data(), static_cast<const double*>(x.data()), 32); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("at sums.cu:4, block (0), thread (32): threads 0 to 31 wait at a barrier"),
                                   HasSubstr("threads 32 to 63 left the kernel")));
}

TEST(BarriersOfBlocks, InThreeDimensionsNameThreadsByIndexAndNumber) {
  const auto program = compiled("cube", R"(__global__ void cube() {
  if (threadIdx.z == 1 && threadIdx.y == 2) return;
  __syncthreads();
})");
  const auto error = error_of<mylos::EmulationError>([&] { run(*program, {.grid = {2, 2, 1}, .block = {2, 3, 2}}); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("block (0, 0), thread (0, 0, 0), at cube.cu:3"),
                                   HasSubstr("thread (0, 2, 1): threads 0 to 9 (numbered with x fastest) wait"),
                                   HasSubstr("threads 10 and 11 left")));
}

// Threads that have left count as arrived, if that is asked for.
class BarriersWithoutThoseThatLeft : public Barriers { ScopedVariable exited_{"MYLOS_EMULATOR_EXITED", "arrive"}; };

INSTANTIATE_TEST_SUITE_P(Switch, BarriersWithoutThoseThatLeft, ::testing::Values("in_place", "portable"));

TEST_P(BarriersWithoutThoseThatLeft, AreForTheOthers) {
  const auto program = compiled("early", R"(__global__ void early(int* out, int stay) {
  __shared__ int sum;
  int t = threadIdx.x;
  if (t == 0) sum = 0;
  if (t >= stay) return;
  __syncthreads();
  atomicAdd(&sum, t + 1);
  __syncthreads();
  out[t] = sum;
})");
  for (const int stay : {1, 5, 8}) {
    const DeviceArray<int> out(8, -1);
    run(*program, {.block = {8, 1, 1}}, out.data(), stay);
    const auto values = out.read();
    for (int t = 0; t < 8; ++t) ASSERT_EQ(values[t], t < stay ? stay * (stay + 1) / 2 : -1);
  }
}

TEST_P(BarriersWithoutThoseThatLeft, HalfReturnInEachRound) {
  const auto program = compiled("halving", R"(__global__ void halving(const int* x, int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  for (int k = 64; k > 0; k /= 2) {
    __syncthreads();
    if (t >= k) return;
    s[t] += s[t + k];
  }
  if (t == 0) *out = s[0];
})");
  const auto x = random_values<int>(128, -1000, 1000, 8);
  const DeviceArray<int> dx(x);
  const DeviceArray<int> out(1);
  run(*program, {.block = {128, 1, 1}}, static_cast<const int*>(dx.data()), out.data());
  EXPECT_EQ(out.read()[0], std::accumulate(x.begin(), x.end(), 0));
}

// Those that leave are not the last ones of the block, nor the first: every other thread, other ones in each round.
TEST_P(BarriersWithoutThoseThatLeft, AnyMayLeave) {
  const auto program = compiled("thinning", R"(__global__ void thinning(int* out, int rounds) {
  int t = threadIdx.x, seen = 0;
  for (int r = 0; r < rounds; r++) {
    if ((t >> r & 1) != (r & 1)) { out[t] = -1 - r; return; }
    seen = seen * 1000 + __syncthreads_count(t % 3 != 0);
  }
  out[t] = seen;
})");
  constexpr int n = 200;
  const DeviceArray<int> out(n);
  run(*program, {.block = {n, 1, 1}}, out.data(), 3);
  std::vector<int> expected(n);
  std::vector<int> left(n);
  std::iota(left.begin(), left.end(), 0);
  std::vector<int> seen(n);
  for (int r = 0; r < 3; ++r) {
    std::vector<int> stay;
    for (const int t : left) {
      const bool stays = (t >> r & 1) == (r & 1);
      expected[t] = -1 - r;
      if (stays) stay.push_back(t);
    }
    int count = 0;
    for (const int t : stay) count += t % 3 != 0 ? 1 : 0;
    for (const int t : stay) expected[t] = seen[t] = seen[t] * 1000 + count;
    left = stay;
  }
  EXPECT_EQ(out.read(), expected);
}

// It hands over to itself, from barriers at different depths of its stack.
TEST_P(BarriersWithoutThoseThatLeft, AThreadMayBeTheOnlyOne) {
  const auto kernel = compiled("alone", R"(__noinline__ __device__ int deeper(int* x, int depth) {
  int kept[20];
  for (int i = 0; i < 20; ++i) kept[i] = x[i] + depth;
  __syncthreads();
  int sum = depth > 0 ? deeper(x, depth - 1) : 0;
  __syncthreads();
  for (int i = 0; i < 20; ++i) sum += kept[i];
  return sum;
}
__global__ void alone(int* x, int* sum) {
  if (threadIdx.x > 0) return;
  sum[blockIdx.x] = deeper(x, 5);
})");
  const DeviceArray<int> x(20, 2);
  DeviceArray<int> sum(4);
  for (const unsigned block : {1U, 7U}) {
    sum.write(std::vector<int>(4, 0));
    run(*kernel, {.grid = {4, 1, 1}, .block = {block, 1, 1}}, x.data(), sum.data());
    EXPECT_EQ(sum.read(), std::vector<int>(4, 20 * (6 * 2 + 15))) << block;
  }
}

TEST(BarriersWithoutThoseThatLeftAsWritten, AreRefusedIfMisspelt) {
  const ScopedVariable variable("MYLOS_EMULATOR_EXITED", "arrived");
  const auto nothing = compiled("nothing", "__global__ void nothing() {}");
  EXPECT_THAT(error_of<mylos::ValueError>([&] { run(*nothing, {}); })->what(),
              HasSubstr("MYLOS_EMULATOR_EXITED is 'arrived'"));
}

}  // namespace
}  // namespace mylos_test
