// SPDX-License-Identifier: MIT
#include "emulator/repetition.hpp"

#include <bit>

#include "emulator/leaving.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

std::uint64_t joined(std::uint64_t state, std::uint64_t word) noexcept {
  return std::rotl((state ^ word) * 0x9e3779b97f4a7c15U, 29);
}

// All registers that matter are on the stack of a thread that has handed over.
MYLOS_LEAVES_FIBER std::uint64_t joined(std::uint64_t state, const mylos_fiber& fiber, const Stacks& stacks) noexcept {
  state = joined(state, reinterpret_cast<std::uintptr_t>(fiber.code));
  state = joined(state, reinterpret_cast<std::uintptr_t>(fiber.frame));
  const auto begin = reinterpret_cast<std::uintptr_t>(fiber.stack);
  for (std::uintptr_t at = begin; at < stacks.end_of(begin); at += sizeof(std::uint64_t)) {
    state = joined(state, *reinterpret_cast<const std::uint64_t*>(at));
  }
  return state;
}

}  // namespace

std::uint64_t state_of(const mylos_worker& worker, const unsigned* masks, int warps, const Stacks& stacks) noexcept {
  std::uint64_t state = joined(0, worker.changes);
  for (int warp = 0; warp < warps; ++warp) {
    for (unsigned rest = masks[warp]; rest != 0; rest &= rest - 1) {
      state = joined(state, worker.fibers[warp * mylos_lanes + std::countr_zero(rest)], stacks);
    }
  }
  return state;
}

bool Repetition::is_certain(std::uint64_t state) noexcept {
  certain_ = certain_ || (rounds_ > 0 && state == remembered_);
  if (++rounds_ == next_) {
    remembered_ = state;
    next_ *= 2;
  }
  return certain_;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
