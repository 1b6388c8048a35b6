// SPDX-License-Identifier: MIT
// Places in a launch.
#pragma once

#include <array>

#include <mylos/base/abi.hpp>

#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// The place of a block or thread that is numbered x fastest.
inline std::array<int, 3> index_of(long number, const int (&extents)[3]) noexcept {
  return {static_cast<int>(number % extents[0]), static_cast<int>(number / extents[0] % extents[1]),
          static_cast<int>(number / extents[0] / extents[1])};
}

/// Whether a thread is in a set of its block's threads, which has a mask for each warp.
inline bool has_bit(const unsigned* masks, int thread) noexcept {
  return (masks[thread / mylos_lanes] >> static_cast<unsigned>(thread % mylos_lanes) & 1U) != 0;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
