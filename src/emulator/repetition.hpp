// SPDX-License-Identifier: MIT
// Does what threads do while they wait repeat itself?
#pragma once

#include <cstdint>

#include <mylos/base/abi.hpp>

#include "emulator/shim/mylos_abi.hpp"
#include "emulator/stacks.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Threads of a checked block that spin, and nothing else runs. When all of them are once more where they were, with
/// the same values on their stacks, and nothing that they see has changed meanwhile, it goes on like this forever: what
/// counts turns has another number, and time that is read is a change.
class Repetition {
 public:
  void begin() noexcept { *this = {}; }
  /// A round is over, in which each of the threads has had its turn. Whether it is certain by now.
  bool is_certain(std::uint64_t state) noexcept;

 private:
  // Brent's: of the rounds 1, 2, 4, ... the last one's.
  std::uint64_t remembered_ = 0;
  std::uint64_t rounds_ = 0, next_ = 1;
  bool certain_ = false;
};

/// A number for where these threads of the worker are and what is on their stacks, and for what they see.
[[nodiscard]] std::uint64_t state_of(const mylos_worker& worker, const unsigned* masks, int warps,
                                     const Stacks& stacks) noexcept;

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
