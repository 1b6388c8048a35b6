// SPDX-License-Identifier: MIT
// cooperative_groups: ranks, what members give each other, reductions and scans.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
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

using ::testing::HasSubstr;

const std::string opening = R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
)";

// What thread i of each block writes to out[row][i], of a kernel with one block.
std::vector<std::vector<int>> rows_of(const std::string& body, const emulator::LaunchShape& shape, int rows) {
  const std::string text = opening + R"(__global__ void groups(int* out, int threads) {
  cg::thread_block block = cg::this_thread_block();
  int* row = out + block.thread_rank();
  auto put = [&](int value) { *row = value; row += threads; };
)" + body + "}\n";
  const auto program = compile_by_both({.text = text, .name = "groups"});
  const std::size_t threads = std::size_t{shape.block[0]} * shape.block[1] * shape.block[2];
  const DeviceArray<int> out(threads * static_cast<std::size_t>(rows), -1);
  run(*program, shape, out.data(), static_cast<int>(threads));
  const auto values = out.read();
  std::vector<std::vector<int>> result;
  for (int row = 0; row < rows; ++row) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * threads);
    result.emplace_back(first, first + static_cast<std::ptrdiff_t>(threads));
  }
  return result;
}

std::vector<int> each_thread(int threads, const std::function<int(int)>& f) {
  std::vector<int> values;
  for (int i = 0; i < threads; ++i) values.push_back(f(i));
  return values;
}

TEST(Groups, BlocksKnowTheirThreads) {
  const auto rows = rows_of(R"(
  put(block.thread_rank() + 1000 * block.size() + 100000 * (block.num_threads() == block.size()));
  put(block.thread_index().y + 10 * block.group_index().x + 100 * block.dim_threads().x + 1000 * block.group_dim().z);
  cg::thread_group group = block;
  group.sync();
  cg::sync(block);
  put(int(group.thread_rank()) + int(group.size()) + int(cg::thread_rank(block)));
  cg::grid_group grid = cg::this_grid();
  put(int(grid.thread_rank()) + 100 * int(grid.size()) + 10000 * int(grid.num_blocks()) + grid.is_valid());
)",
                            {.block = {4, 3, 2}}, 4);
  EXPECT_EQ(rows[0], each_thread(24, [](int i) { return i + 24000 + 100000; }));
  EXPECT_EQ(rows[1], each_thread(24, [](int i) { return i / 4 % 3 + 400 + 2000; }));
  EXPECT_EQ(rows[2], each_thread(24, [](int i) { return 2 * i + 24; }));
  EXPECT_EQ(rows[3], each_thread(24, [](int i) { return i + 2400 + 10001; }));
}

class Tiles : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Tiles, ::testing::Values(1, 2, 4, 8, 16, 32));

TEST_P(Tiles, ShareValues) {
  const int size = GetParam();
  const auto rows = rows_of("  constexpr unsigned size = " + std::to_string(size) + R"(;
  const int i = block.thread_rank();
  auto tile = cg::tiled_partition<size>(block);
  tile.sync();
  put(tile.thread_rank() + 100 * tile.size() + 10000 * tile.meta_group_rank() + 1000000 * tile.meta_group_size());
  put(tile.shfl(i, 1));
  put(tile.shfl_down(i, 2));
  put(tile.shfl_up(i, 1));
  put(int(2 * tile.shfl_xor(i + 0.5, 1)));
  put(tile.any(i % 5 == 0) + 2 * tile.all(i < 40));
  put(tile.ballot(i % 3 == 0));
  put(tile.match_any(i / 3));
  int same = -1;
  tile.match_all(i / 32, same);
  put(same);
  put(cg::reduce(tile, i, cg::plus<int>()));
  put(cg::reduce(tile, (i * 7) % 64, cg::greater<int>()) - cg::reduce(tile, (i * 7) % 64, cg::less<int>()));
  put(cg::inclusive_scan(tile, i));
  put(cg::exclusive_scan(tile, i, cg::plus<int>()));
)",
                            {.block = {64, 1, 1}}, 13);
  const auto first = [size](int i) { return i / size * size; };
  const auto sum = [](int from, int to) { return (to - from) * (from + to - 1) / 2; };
  EXPECT_EQ(rows[0],
            each_thread(64, [&](int i) { return i % size + 100 * size + 10000 * (i / size) + 1000000 * (64 / size); }));
  EXPECT_EQ(rows[1], each_thread(64, [&](int i) { return first(i) + 1 % size; }));
  EXPECT_EQ(rows[2], each_thread(64, [&](int i) { return i % size + 2 < size ? i + 2 : i; }));
  EXPECT_EQ(rows[3], each_thread(64, [&](int i) { return i % size > 0 ? i - 1 : i; }));
  EXPECT_EQ(rows[4], each_thread(64, [&](int i) { return 2 * (size > 1 ? i ^ 1 : i) + 1; }));
  const auto lanes = [&](int i, auto holds) {
    std::uint32_t bits = 0;
    for (int lane = 0; lane < size; ++lane) bits |= (holds(first(i) + lane) ? 1U : 0U) << lane;
    return static_cast<int>(bits);
  };
  const int all = lanes(0, [](int) { return true; });
  EXPECT_EQ(rows[5], each_thread(64, [&](int i) {
              return (lanes(i, [](int j) { return j % 5 == 0; }) != 0 ? 1 : 0) +
                     (lanes(i, [](int j) { return j < 40; }) == all ? 2 : 0);
            }));
  EXPECT_EQ(rows[6], each_thread(64, [&](int i) { return lanes(i, [](int j) { return j % 3 == 0; }); }));
  EXPECT_EQ(rows[7], each_thread(64, [&](int i) { return lanes(i, [i](int j) { return j / 3 == i / 3; }); }));
  EXPECT_EQ(rows[8], std::vector<int>(64, 1));
  EXPECT_EQ(rows[9], each_thread(64, [&](int i) { return sum(first(i), first(i) + size); }));
  EXPECT_EQ(rows[10], each_thread(64, [&](int i) {
              int low = 64, high = -1;
              for (int j = first(i); j < first(i) + size; ++j) {
                low = std::min(low, j * 7 % 64);
                high = std::max(high, j * 7 % 64);
              }
              return high - low;
            }));
  EXPECT_EQ(rows[11], each_thread(64, [&](int i) { return sum(first(i), i + 1); }));
  EXPECT_EQ(rows[12], each_thread(64, [&](int i) { return sum(first(i), i); }));
}

TEST(Groups, TilesOfTilesAndOfHalves) {
  const auto rows = rows_of(R"(
  const int i = block.thread_rank();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto part = cg::tiled_partition<8>(warp);
  put(part.meta_group_rank() + 10 * part.meta_group_size() + 100 * part.thread_rank());
  struct Large { double a, b; int c; };
  const Large other = part.shfl(Large{i + 0.5, i + 0.25, i}, 7);
  put(int(other.a * 2 + other.b * 4) + other.c);
  cg::thread_group dynamic = cg::tiled_partition(block, 4);
  dynamic.sync();
  put(int(dynamic.thread_rank()) + 10 * int(dynamic.size()));
)",
                            {.block = {64, 1, 1}}, 3);
  EXPECT_EQ(rows[0], each_thread(64, [](int i) { return i % 32 / 8 + 40 + i % 8 * 100; }));
  EXPECT_EQ(rows[1], each_thread(64, [](int i) { return 7 * (i / 8 * 8 + 7) + 2; }));
  EXPECT_EQ(rows[2], each_thread(64, [](int i) { return i % 4 + 40; }));
}

TEST(Groups, LanesThatAreTogether) {
  const auto rows = rows_of(R"(
  const int i = block.thread_rank();
  if (i % 3 == 1) {
    cg::coalesced_group together = cg::coalesced_threads();
    put(together.thread_rank() + 100 * together.size());
    put(together.shfl(i, 2));
    put(together.shfl_up(i, 1) + 100 * together.shfl_down(i, 1));
    put(together.ballot(i % 2 == 0));
    put(cg::reduce(together, i, cg::plus<int>()));
    put(cg::inclusive_scan(together, i));
    put(together.any(i == 4) + 2 * together.all(i > 0));
  }
)",
                            {.block = {32, 1, 1}}, 7);
  const auto member = [](int i, const std::function<int(int)>& f) {  // number i / 3 of 11: 1, 4, ..., 31
    return i % 3 == 1 ? f(i / 3) : -1;
  };
  const auto expect = [&](int row, const std::function<int(int)>& f) {
    EXPECT_EQ(rows[static_cast<std::size_t>(row)], each_thread(32, [&](int i) { return member(i, f); })) << row;
  };
  expect(0, [](int rank) { return rank + 1100; });
  expect(1, [](int) { return 7; });
  expect(2, [](int rank) { return 3 * std::max(rank - 1, 0) + 1 + 100 * (3 * std::min(rank + 1, 10) + 1); });
  expect(3, [](int) { return 0b01010101010; });
  expect(4, [](int) { return 176; });
  expect(5, [](int rank) { return 3 * rank * (rank + 1) / 2 + rank + 1; });
  expect(6, [](int) { return 3; });
}

TEST(Groups, PartitionsByLabel) {
  const auto rows = rows_of(R"(
  const int i = block.thread_rank();
  auto warp = cg::tiled_partition<32>(block);
  auto labeled = cg::labeled_partition(warp, i % 5);
  put(labeled.thread_rank() + 100 * labeled.size() + 10000 * cg::reduce(labeled, i, cg::less<int>()));
  auto odd = cg::binary_partition(warp, i % 2 == 1);
  put(odd.thread_rank() + 100 * odd.size());
  cg::invoke_one(warp, [&] { put(77); });
)",
                            {.block = {32, 1, 1}}, 3);
  EXPECT_EQ(rows[0], each_thread(32, [](int i) { return i / 5 + 100 * (i % 5 < 2 ? 7 : 6) + 10000 * (i % 5); }));
  EXPECT_EQ(rows[1], each_thread(32, [](int i) { return i / 2 + 1600; }));
  EXPECT_EQ(rows[2][0], 77);
}

// Each branch has a place of its own: its lanes do not meet those of the other.
TEST(Groups, OneMemberActsForAllOfItsBranch) {
  const auto rows = rows_of(R"(
  const int i = block.thread_rank();
  const auto add = [](int a, int b) { return a + b; };
  auto together = cg::coalesced_threads();
  auto odd = cg::binary_partition(together, i % 2 == 1);
  if (i % 2 == 1) {
    put(cg::invoke_one_broadcast(odd, add, i, 100));
  } else {
    put(cg::invoke_one_broadcast(odd, [&] { return i + 200; }));
  }
)",
                            {.block = {32, 1, 1}}, 1);
  EXPECT_EQ(rows[0], each_thread(32, [](int i) { return i % 2 == 1 ? 101 : 200; }));
}

TEST(Groups, TilesOfTheBlockHaveAtMostAWarp) {
  const auto program = compile_by_both({.text = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* ranks, int size) {
  ranks[threadIdx.x] = cg::tiled_partition(cg::this_thread_block(), size).thread_rank();
})",
                                        .name = "k"});
  const DeviceArray<int> ranks(64);
  const emulator::LaunchShape shape{.block = {64, 1, 1}};
  run(*program, shape, ranks.data(), 8);
  EXPECT_EQ(ranks.read(), each_thread(64, [](int i) { return i % 8; }));
  for (const int size : {64, 0, 12}) {
    const auto error = error_of<mylos::EmulationError>([&] { run(*program, shape, ranks.data(), size); });
    ASSERT_TRUE(error);
    EXPECT_NE(std::string(error->what()).find("a tile has 1, 2, 4, 8, 16 or 32 threads"), std::string::npos) << size;
    EXPECT_EQ(error->findings().at(0).sites.at(0).line, 4);
  }
}

TEST(Groups, CopiesArriveBeforeTheWaitIsOver) {
  const auto program = compile_by_both({.text = R"(#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void copies(const int* from, int* to, int n) {
  extern __shared__ int buffer[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, from, sizeof(int) * n);
  cg::wait(block);
  for (int i = block.thread_rank(); i < n; i += block.num_threads()) to[i] = buffer[n - 1 - i];
})",
                                        .name = "copies"});
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 5);
  const DeviceArray<int> from(values), to(values.size());
  run(*program, {.block = {96, 1, 1}, .shared_bytes = 4000}, static_cast<const int*>(from.data()), to.data(), 1000);
  std::ranges::reverse(values);
  EXPECT_EQ(to.read(), values);
}

// Whatever the number of OS threads.
TEST(Groups, GridsMeet) {
  const auto program = compile_by_both({.text = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void meets(int* values, int* sums, int rounds) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank(), n = grid.size();
  for (int round = 0; round < rounds; ++round) {
    values[i] = i + round;
    grid.sync();
    sums[i] += values[(i + n / 2) % n];
    grid.sync();
  }
})",
                                        .name = "meets"});
  const auto meet = [&](unsigned blocks, unsigned threads) {
    const int n = static_cast<int>(blocks * threads), rounds = 10;
    const DeviceArray<int> values(n), sums(n);
    run(*program, {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}}, values.data(), sums.data(), rounds);
    EXPECT_EQ(sums.read(),
              each_thread(n, [&](int i) { return rounds * ((i + n / 2) % n) + rounds * (rounds - 1) / 2; }));
  };
  const auto scope = emulator::with({.threads = 2});
  for (const bool checked : {false, true}) {
    const auto checks = checks_if(checked);
    meet(5, 32);
    meet(100, 2);
  }
  std::thread other([&] { meet(9, 4); });
  meet(8, 4);
  other.join();
  EXPECT_THAT(error_of<mylos::EmulationError>([&] { meet(emulator::max_blocks_that_meet + 1, 1); })->what(),
              HasSubstr("at most 1024"));
}

// The findings of a kernel of three blocks that meet somewhere.
std::vector<emulator::Finding> findings_of_grid(const char* body) {
  const auto program = compiled("k", std::string("#include <cassert>\n#include <cooperative_groups.h>\n"
                                                 "__global__ void k() {\n") +
                                         body + "\n  cooperative_groups::this_grid().sync();\n}");
  return findings_of([&] { run(*program, {.grid = {3, 1, 1}, .block = {4, 1, 1}}); });
}

TEST(Groups, GridsThatDoNotMeetAreFoundAndNotWaitedFor) {
  for (const bool checked : {false, true}) {
    const auto scope = checks_if(checked);
    const auto left = findings_of_grid("if (blockIdx.x == 1) return;");
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].kind, emulator::Kind::barrier);
    EXPECT_EQ(left[0].sites.at(0).line, 5);
    EXPECT_THAT(left[0].text, HasSubstr("others have left the kernel"));
    const auto failed = findings_of_grid("assert(blockIdx.x != 1);");
    ASSERT_EQ(failed.size(), 1U) << "those that wait for the block say nothing";
    EXPECT_EQ(failed[0].kind, emulator::Kind::assertion);
    if (no_time_limits != nullptr) continue;
    const auto limit = emulator::with({.time_limit = std::chrono::seconds(1)});
    const auto endless = findings_of_grid("for (volatile int i = 0; blockIdx.x == 1; i = i + 1) {}");
    ASSERT_EQ(endless.size(), 1U);
    EXPECT_THAT(endless[0].text, HasSubstr("not finished after 1 s"));
  }
}

// The barrier's own line is that of the kernel, so that different ones are told apart.
TEST(Groups, BarriersInDifferentBranchesAreFound) {
  const auto program = compile_by_both({.text = R"(#include <cooperative_groups.h>
__global__ void branches(int* out) {
  auto block = cooperative_groups::this_thread_block();
  if (threadIdx.x % 2 == 0) {
    block.sync();
  } else {
    block.sync();
  }
  out[threadIdx.x] = 1;
})",
                                        .name = "branches"});
  const DeviceArray<int> out(64);
  const auto error = error_of<mylos::EmulationError>([&] { run(*program, {.block = {64, 1, 1}}, out.data()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->findings().at(0).kind, emulator::Kind::barrier);
}

}  // namespace
}  // namespace mylos_test
