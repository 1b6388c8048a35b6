// SPDX-License-Identifier: MIT
// Notices writes behind the end of a block's dynamic shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Bytes for dynamic shared memory and the zone behind the largest that a launch may ask for.
inline constexpr std::size_t shared_zone_bytes = 4096;

/// What lies behind the part that a launch asked for is filled with a pattern (a NaN, whatever reads it) once, and
/// looked at again later.
class SharedGuard {
 public:
  /// `memory` is all of the calling thread's dynamic shared memory with its zone; empty: nothing is guarded.
  void arm(std::span<std::byte> memory, std::size_t used);
  /// Offset from the end of the used part of the first byte that has changed; all of the zone, or only the part that an
  /// index which is a little too large reaches: cheap enough for every block.
  [[nodiscard]] std::optional<std::size_t> first_change() const;
  [[nodiscard]] std::optional<std::size_t> first_near_change() const;

 private:
  [[nodiscard]] std::optional<std::size_t> first_change_in(std::size_t bytes) const;

  std::span<std::byte> zone_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
