// SPDX-License-Identifier: MIT
// Warp operations that not all of their lanes come to, and the like that are right.
#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/emulator/finding.hpp>

#include "device/every_architecture.hpp"
#include "emulator/support.hpp"

namespace mylos_test {
namespace {

using emulator::Kind;
using ::testing::HasSubstr;

class WarpOperations : public WithSwitch {};

INSTANTIATE_TEST_SUITE_P(Switch, WarpOperations, switch_kinds());

/// Kernel `name`(int* out), whose body begins in line 2. Each block has a part of `out` of its own, with an element for
/// each thread.
struct WarpCase {
  const char* name;
  const char* body;
  unsigned block = 64;
  int line = 0, other_line = 0;  // 0: no such site
  int thread = 0;                // of the first site
  const char* words[3] = {};
};

std::string text_of(const WarpCase& c) {
  return "extern \"C\" __global__ void " + std::string(c.name) + "(int* out) { out += blockIdx.x * blockDim.x;\n" +
         c.body + "\n}\n";
}

constexpr WarpCase wrong_operations[] = {
    {"reads_absent",
     R"(  int v = threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffff, v, offset);
  out[threadIdx.x] = v;)",
     40,
     4,
     0,
     32,
     {"lane 0 of warp 1 reads from lane 16 in __shfl_down_sync, which does not exist: the block has 40"}},
    {"product_of_absent",
     R"(  int v = threadIdx.x % 3 + 1;
  for (int m = 1; m < 32; m *= 2) v *= __shfl_xor_sync(0xffffffff, v, m);
  out[threadIdx.x] = v;)",
     40,
     3,
     0,
     32,
     {"reads from lane 8 in __shfl_xor_sync, which does not exist"}},
    {"reads_left",
     R"(  if (threadIdx.x % 32 >= 20) return;
  out[threadIdx.x] = __shfl_down_sync(0xffffffff, threadIdx.x, 8);)",
     64,
     3,
     0,
     12,
     {"lane 12 of warp 0 reads from lane 20", "has left the kernel"}},
    {"reads_unnamed",
     R"(  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_xor_sync(0x0000ffff, threadIdx.x, 16);
  __syncthreads();)",
     64,
     3,
     0,
     0,
     {"lane 0 of warp 0 reads from lane 16", "is not in the mask 0x0000ffff"}},
    {"one_lane_only",
     R"(  if (threadIdx.x == 3) out[0] = __shfl_sync(1u << 3, 5, 0);)",
     32,
     2,
     0,
     3,
     {"lane 3 of warp 0 reads from lane 0", "is not in the mask 0x00000008"}},
    {"not_named",
     R"(  __syncwarp();
  out[threadIdx.x] = __ballot_sync(0x0000ffff, 1);)",
     64,
     3,
     0,
     16,
     {"lane 16 of warp 0 calls __ballot_sync with mask 0x0000ffff, in which it is not"}},
    {"not_named_between",
     R"(  if (threadIdx.x < 3) out[threadIdx.x] = __shfl_sync(0x5, static_cast<int>(threadIdx.x), 0);)",
     32,
     2,
     0,
     1,
     {"lane 1 of warp 0 calls __shfl_sync with mask 0x00000005, in which it is not"}},
    {"odd_width",
     R"(  out[threadIdx.x] = __shfl_sync(0xffffffff, 1, 0, 2 + blockDim.x / 64);)",
     64,
     2,
     0,
     0,
     {"__shfl_sync has width 3"}},
    {"two_kinds",
     R"(  if (threadIdx.x % 32 < 8)
    out[threadIdx.x] = __any_sync(0xffffffff, 1);
  else
    out[threadIdx.x] = __all_sync(0xffffffff, 1);)",
     64,
     3,
     5,
     0,
     {"lanes 0 to 7 of warp 0 wait in __any_sync with mask 0xffffffff for lanes 8 to 31, of which lane 8 waits in "
      "__all_sync with mask 0xffffffff (line 5)"}},
    {"two_masks",
     R"(  int lane = threadIdx.x % 32;
  if (threadIdx.x >= 32 && lane >= 16)
    out[lane] = __shfl_down_sync(0xffffffff, lane, 1, 16);
  else
    out[lane] = __shfl_down_sync(threadIdx.x < 32 ? 0xffffffff : 0x3fffffff, lane, 1, 16);)",
     64,
     6,
     4,
     32,
     {"lanes 0 to 15 of warp 1 wait in __shfl_down_sync with mask 0x3fffffff for lanes 16 to 29",
      "lane 16 waits in __shfl_down_sync with mask 0xffffffff (line 4)"}},
    {"two_places",
     R"(  if (threadIdx.x % 2) out[0] = __shfl_sync(0xffffffff, 1, 0); else out[1] = __shfl_sync(0xffffffff, 2, 0);)",
     32,
     2,
     2,
     0,
     {"lanes 0, 2, 4, 6, 8, 10 and 10 more of warp 0", "column"}},
    {"one_stays_at_the_barrier",
     R"(  if (threadIdx.x != 37) __syncwarp();
  __syncthreads();)",
     64,
     2,
     3,
     32,
     {"wait in __syncwarp with mask 0xffffffff for lane 5, of which lane 5 waits in __syncthreads (line 3)"}},
    {"half_at_the_barrier",
     R"(  if (threadIdx.x < 16) {
    __syncthreads();
    out[0] = 1;
  } else {
    out[1] = __ballot_sync(0xffffffff, 1);
  }
  __syncthreads();)",
     32,
     6,
     3,
     16,
     {"lanes 16 to 31 of warp 0 wait in __ballot_sync", "for lanes 0 to 15, of which lane 0 waits in __syncthreads"}},
    {"loops_of_lanes",
     R"(  for (int k = 0; k < threadIdx.x % 32; ++k)
    out[k] = __shfl_sync(0xffffffff, k, 31);
  __syncthreads();)",
     32,
     3,
     4,
     1,
     {"lanes 1 to 31 of warp 0 wait in __shfl_sync", "for lane 0, of which lane 0 waits in __syncthreads"}},
};

TEST_P(WarpOperations, ThatCannotBeDoneAreFoundAtTheirLines) {
  for (const WarpCase& c : wrong_operations) {
    const auto program = compiled(c.name, text_of(c));
    const DeviceArray<int> out(64);
    const auto error = error_of<mylos::EmulationError>([&] { run(*program, {.block = {c.block, 1, 1}}, out.data()); });
    ASSERT_TRUE(error) << c.name;
    ASSERT_EQ(error->findings().size(), 1U) << c.name;
    const emulator::Finding& finding = error->findings().front();
    EXPECT_EQ(finding.kind, Kind::barrier) << c.name;
    EXPECT_EQ(finding.kernel, c.name);
    for (const char* word : c.words) EXPECT_THAT(finding.text, HasSubstr(word == nullptr ? "" : word)) << c.name;
    ASSERT_EQ(finding.sites.size(), c.other_line == 0 ? 1U : 2U) << c.name;
    EXPECT_EQ(finding.sites[0].file, std::string(c.name) + ".cu");
    EXPECT_EQ(finding.sites[0].line, c.line) << c.name;
    EXPECT_EQ(finding.sites[0].thread.x, c.thread) << c.name;
    EXPECT_EQ(finding.sites.back().line, c.other_line == 0 ? c.line : c.other_line) << c.name;
  }
}

constexpr WarpCase right_operations[] = {
    {"syncs_in_branches",
     R"(  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 2) { __syncwarp(); out[threadIdx.x] = s[threadIdx.x - 1]; } else { __syncwarp(); out[threadIdx.x] = 1; })"},
    {"masks_of_branches",
     R"(  int lane = threadIdx.x % 32;
  out += threadIdx.x;
  if (lane < 16) *out = __shfl_down_sync(0x0000ffff, lane, 1, 16);
  else *out = __shfl_xor_sync(0xffff0000, lane, 3);
  __syncwarp();
  if (lane % 2) *out = __ballot_sync(0xaaaaaaaa, 1); else *out = __any_sync(0x55555555, 1);
  __syncthreads();)"},
    {"ballot_before_branch",
     R"(  unsigned mask = __ballot_sync(0xffffffff, threadIdx.x % 32 < 20);
  if (threadIdx.x % 32 < 20) out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, 19);)"},
    {"some_lanes_after_a_barrier",
     R"(  __syncthreads();
  if (threadIdx.x == 0 || threadIdx.x == 2) out[threadIdx.x] = __shfl_xor_sync(0x5, threadIdx.x, 2);
  __syncthreads();
  if (threadIdx.x == 1 || threadIdx.x == 30) out[threadIdx.x] = __any_sync(0x40000002, 1);)"},
    {"some_lanes_at_first",
     R"(  if (threadIdx.x % 32 == 0 || threadIdx.x % 32 == 2) out[threadIdx.x] = __shfl_xor_sync(0x5, threadIdx.x, 2);
  __syncthreads();
  if (threadIdx.x == 1 || threadIdx.x == 30) out[threadIdx.x] = __any_sync(0x40000002, 1);
  __syncthreads();)"},
    {"tail_has_left",
     R"(  if (threadIdx.x >= 48) return;
  out[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 0) + __ballot_sync(0xffffffff, 1);
  __syncwarp();
  for (int k = 1; k < 8; ++k) out[threadIdx.x] += __shfl_down_sync(__activemask(), k, 1, 4);)"},
    {"first_ones_leave",
     R"(  if (threadIdx.x % 32 < threadIdx.x / 32 * 5) return;
  for (int k = 0; k < 3; ++k) out[threadIdx.x] = __ballot_sync(0xffffffff, k);)"},
    {"one_leaves_each_round",
     R"(  for (int k = 0; k < 31; ++k) {
    if (threadIdx.x % 32 == (k * 7 + 3) % 31) return;
    out[threadIdx.x] += __any_sync(0xffffffff, 1) + __shfl_sync(0xffffffff, k, 31);
  })"},
    {"warps_apart",
     R"(  if (threadIdx.x / 32 == 1) { for (int k = 0; k < 5; ++k) out[threadIdx.x] = __shfl_sync(0xffffffff, k, k); }
  else { for (int k = 0; k < 9; ++k) out[threadIdx.x] = __ballot_sync(0xffffffff, k); }
  __syncthreads();)"},
    {"alone", R"(  out[threadIdx.x] = __shfl_sync(1u << threadIdx.x % 32, threadIdx.x, threadIdx.x % 32);
  __syncwarp(1u << threadIdx.x % 32);)"},
    {"nested_groups",
     R"(  int lane = threadIdx.x % 32;
  if (lane == 3 || lane == 7 || lane == 9) {
    if (lane != 3) out[threadIdx.x] = __any_sync(0x280, 1);
    if (lane != 9) out[threadIdx.x] += __any_sync(0x88, 1);
    if (lane != 7) out[threadIdx.x] += __any_sync(0x208, 1);
    __syncwarp(0x288);
  }
  __syncwarp();
  __syncthreads();)"},
};

TEST_P(WarpOperations, OfThoseWhoAreThereAreAccepted) {
  for (const WarpCase& c : right_operations) {
    const auto program = compiled(c.name, text_of(c));
    const DeviceArray<int> out(std::size_t{3} * 128);
    for (const bool checked : {false, true}) {
      const auto scope = checks_if(checked);
      for (const unsigned block : {64U, 128U}) {
        EXPECT_NO_THROW(run(*program, {.grid = {3, 1, 1}, .block = {block, 1, 1}}, out.data())) << c.name;
      }
    }
  }
}

TEST(WarpOperationTexts, CompileForEveryArchitecture) {
  std::string text;
  for (const WarpCase& c : wrong_operations) text += text_of(c);
  for (const WarpCase& c : right_operations) text += text_of(c);
  compiles_for_every_architecture(text);
}

}  // namespace
}  // namespace mylos_test
