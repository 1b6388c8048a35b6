// SPDX-License-Identifier: MIT
#include "emulator/run_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Steele, Lea, Flood: Fast splittable pseudorandom number generators (SplitMix64). The same numbers everywhere.
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

std::uint64_t mixed(std::uint64_t value) noexcept {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27) * 0x94d049bb133111ebU;
  return value ^ value >> 31;
}

}  // namespace

// Steps around the grid that share no factor with its size come to each block once. Where products of a step and a
// position do not fit into a word, blocks are run one after another from some block on.
BlockOrder::BlockOrder(std::uint64_t seed, long blocks) : blocks_(blocks), decreasing_(seed == 1) {
  if (seed < 2) return;
  const auto count = static_cast<std::uint64_t>(blocks);
  first_ = static_cast<long>(mixed(seed * golden) % count);
  step_ = 1;
  if (blocks > std::numeric_limits<std::int32_t>::max()) return;
  step_ = static_cast<long>(mixed(seed * golden + 1) % count);
  while (std::gcd(step_, blocks) != 1) ++step_;
}

ThreadOrder::ThreadOrder(std::uint64_t seed, long block) noexcept
    : seed_(seed), state_(mixed(seed) + static_cast<std::uint64_t>(block)) {}

std::uint64_t ThreadOrder::draw() noexcept { return mixed(state_ += golden); }

int ThreadOrder::pick(const unsigned* masks, int warps) noexcept {
  int ready = 0;
  for (int warp = 0; warp < warps; ++warp) ready += std::popcount(masks[warp]);
  ready = std::max(ready, 1);
  int left = seed_ == 1 ? ready - 1 : static_cast<int>(draw() % static_cast<std::uint64_t>(ready));
  int warp = 0;
  while (left >= std::popcount(masks[warp])) left -= std::popcount(masks[warp++]);
  unsigned lanes = masks[warp];
  for (; left > 0; --left) lanes &= lanes - 1;
  return warp * mylos_lanes + std::countr_zero(lanes);
}

bool ThreadOrder::gives_turn() noexcept { return seed_ > 1 && (draw() & 1U) != 0; }

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
