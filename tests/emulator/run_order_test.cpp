// SPDX-License-Identifier: MIT
// Orders of blocks and threads: each seed has its own, which is the same every time, and kernels work in all of them.
#include "emulator/run_order.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/support.hpp"

namespace mylos_test {
namespace {

using emulator::Check;
using emulator::detail::BlockOrder;
using emulator::detail::ThreadOrder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// For all tests of this program, many of which say who comes first: what the process is told is not asked.
class InIncreasingOrder : public ::testing::Environment {
  void SetUp() override { ::unsetenv("MYLOS_EMULATOR_ORDER_SEED"); }
};
[[maybe_unused]] const auto* const in_increasing_order = ::testing::AddGlobalTestEnvironment(new InIncreasingOrder);

std::vector<long> order_of_blocks(std::uint64_t seed, long blocks) {
  const BlockOrder order(seed, blocks);
  std::vector<long> numbers;
  for (long position = 0; position < blocks; ++position) numbers.push_back(order(position));
  return numbers;
}

TEST(BlockOrder, RunsEachBlockOnce) {
  for (const long blocks : {1L, 2L, 3L, 7L, 64L, 1000L, 4096L}) {
    std::vector<long> all(static_cast<std::size_t>(blocks));
    std::iota(all.begin(), all.end(), 0L);
    EXPECT_EQ(order_of_blocks(0, blocks), all);
    EXPECT_EQ(order_of_blocks(1, blocks), std::vector<long>(all.rbegin(), all.rend()));
    for (std::uint64_t seed = 2; seed < 40; ++seed) {
      auto numbers = order_of_blocks(seed, blocks);
      std::ranges::sort(numbers);
      EXPECT_EQ(numbers, all) << "seed " << seed << ", " << blocks << " blocks";
    }
  }
}

TEST(BlockOrder, DiffersFromSeedToSeed) {
  std::set<std::vector<long>> orders;
  for (std::uint64_t seed = 0; seed < 50; ++seed) orders.insert(order_of_blocks(seed, 1000));
  EXPECT_EQ(orders.size(), 50U);
}

TEST(BlockOrder, KnowsLargeGrids) {
  constexpr long blocks = 2147483647L * 65535;
  for (const std::uint64_t seed : {std::uint64_t{2}, std::uint64_t{12345}, ~std::uint64_t{0}}) {
    const BlockOrder order(seed, blocks);
    std::set<long> numbers;
    for (long position = blocks - 1000; position < blocks; ++position) numbers.insert(order(position));
    EXPECT_EQ(numbers.size(), 1000U);
    EXPECT_GE(*numbers.begin(), 0);
    EXPECT_LT(*numbers.rbegin(), blocks);
  }
}

TEST(ThreadOrder, PicksOfThoseThatAreThere) {
  const unsigned masks[] = {0x80000001U, 0, 0x10U};
  EXPECT_EQ(ThreadOrder(1).pick(masks, 3), 68);
  ThreadOrder order(5);
  std::set<int> picked;
  for (int i = 0; i < 100; ++i) picked.insert(order.pick(masks, 3));
  EXPECT_THAT(picked, ElementsAre(0, 31, 68));
}

// In which order the threads of a grid came to an atomic function.
std::vector<int> arrivals(std::uint64_t seed, const std::string& before, const std::set<Check>& checks = {}) {
  const auto scope = emulator::with({.checks = checks, .threads = 1, .order_seed = seed});
  const auto program = compiled("k", "extern \"C\" __global__ void k(int* count, int* order) {\n" + before +
                                         "\norder[atomicAdd(count, 1)] = blockIdx.x * blockDim.x + threadIdx.x;\n}");
  const DeviceArray<int> count(1), order(3 * 40, -1);
  run(*program, {.grid = {3, 1, 1}, .block = {40, 1, 1}}, count.data(), order.data());
  return order.read();
}

class Arrivals : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(RunOrder, Arrivals, ::testing::Values("", "__syncthreads();", "__syncwarp();"));

TEST_P(Arrivals, AreAsTheSeedSays) {
  std::vector<int> increasing(3 * 40);
  std::iota(increasing.begin(), increasing.end(), 0);
  EXPECT_EQ(arrivals(0, GetParam()), increasing);
  EXPECT_EQ(arrivals(1, GetParam()), std::vector<int>(increasing.rbegin(), increasing.rend()));
  std::set<std::vector<int>> different;
  for (const std::uint64_t seed : {2, 3, 4}) {
    auto order = arrivals(seed, GetParam());
    EXPECT_EQ(arrivals(seed, GetParam()), order) << "seed " << seed;
    different.insert(order);
    std::ranges::sort(order);
    EXPECT_EQ(order, increasing) << "seed " << seed;
  }
  EXPECT_EQ(different.size(), 3U);
}

TEST(RunOrder, HoldsInCheckedLaunches) {
  const auto order = arrivals(9, "__syncthreads();", {Check::race});
  EXPECT_EQ(arrivals(9, "__syncthreads();", {Check::race}), order);
  EXPECT_NE(arrivals(10, "__syncthreads();", {Check::race}), order);
}

TEST(RunOrder, IsThatOfBlocksWhereThreadsAreALoop) {
  const auto program = compiled("k", "extern \"C\" __global__ void k(int* last) { *last = blockIdx.x; }");
  ASSERT_EQ(program->execution(), emulator::Execution::vector_loop);
  const auto last_block = [&](std::uint64_t seed) {
    const auto scope = emulator::with({.threads = 1, .order_seed = seed});
    const DeviceArray<int> last(1, -1);
    run(*program, {.grid = {50, 1, 1}, .block = {32, 1, 1}}, last.data());
    return last.read().front();
  };
  EXPECT_EQ(last_block(0), 49);
  EXPECT_EQ(last_block(1), 0);
  EXPECT_EQ(last_block(8), BlockOrder(8, 50)(49));
}

// Barriers with counts, warps that are not full, groups that split and join, locks, active masks.
constexpr const char* meetings = R"(
extern "C" __global__ void k(int* out, int* lock) {
  __shared__ int s[96];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = t;
  int sum = __syncthreads_count(t % 3 == 0);
  for (int step = 1; step < blockDim.x; step *= 2) {
    const int other = t >= step ? s[t - step] : 0;
    __syncthreads();
    s[t] += other;
    __syncthreads();
  }
  sum += s[t];
  const unsigned lanes = __ballot_sync(0xffffffffu, t % 2 == 0);
  if (t % 2 == 0) sum += __shfl_sync(lanes, t, 0) + __popc(__activemask());
  __syncwarp();
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      out[gridDim.x * blockDim.x] += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
  if (t < 10) return;
  out[i] = sum + __reduce_add_sync(0xffffffffu, 1);
}
)";

TEST(RunOrder, KernelsWhoseThreadsMeetWorkInEach) {
  const auto program = compiled("k", meetings);
  const auto result = [&](std::uint64_t seed) {
    const auto scope = emulator::with({.order_seed = seed});
    const DeviceArray<int> out(2 * 75 + 1), lock(1);
    run(*program, {.grid = {2, 1, 1}, .block = {75, 1, 1}}, out.data(), lock.data());
    return out.read();
  };
  const auto expected = result(0);
  EXPECT_EQ(expected.back(), 150);
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) EXPECT_EQ(result(seed), expected) << "seed " << seed;
}

// Also behind a barrier and a shuffle, and where the next thread is another one than that with the next number.
TEST(RunOrder, ThreadsHaveTheirIndicesInEach) {
  const auto program = compiled("k", R"(
extern "C" __global__ void k(int* out) {
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  __syncthreads();
  int* const mine = out + 5 * (block * blockDim.x * blockDim.y * blockDim.z + thread);
  mine[0] = threadIdx.x;
  mine[1] = threadIdx.y;
  const int lane = __shfl_sync(__activemask(), thread % 32, thread % 32);
  mine[2] = threadIdx.z;
  mine[3] = blockIdx.x + 10 * blockIdx.y;
  mine[4] = lane;
}
)");
  std::vector<int> expected;
  for (int block = 0; block < 6; ++block) {
    for (int thread = 0; thread < 7 * 5 * 3; ++thread) {
      for (const int value : {thread % 7, thread / 7 % 5, thread / 35, block % 2 + 10 * (block / 2), thread % 32}) {
        expected.push_back(value);
      }
    }
  }
  for (const std::uint64_t seed : {0, 1, 2, 3, 4}) {
    const auto scope = emulator::with({.order_seed = seed});
    const DeviceArray<int> out(expected.size());
    run(*program, {.grid = {2, 3, 1}, .block = {7, 5, 3}}, out.data());
    EXPECT_EQ(out.read(), expected) << "seed " << seed;
  }
}

TEST(RunOrder, ThreadsThatDoNotMeetAreFoundInEach) {
  const auto program = compiled(
      "k", "extern \"C\" __global__ void k() {\nif (threadIdx.x < 5)\n__syncthreads();\nelse\n__syncthreads();\n}");
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const auto scope = emulator::with({.order_seed = seed});
    const auto findings = findings_of([&] { run(*program, {.block = {40, 1, 1}}); });
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, emulator::Kind::barrier);
    EXPECT_THAT(findings[0].text, HasSubstr("threads 0 to 4 wait at the barrier in line 3"));
    EXPECT_THAT(findings[0].text, HasSubstr("threads 5 to 39 at another one, in line 5"));
  }
}

}  // namespace
}  // namespace mylos_test
