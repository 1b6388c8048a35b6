// SPDX-License-Identifier: MIT
// The order that Options::order_seed stands for: 0 increasing, 1 decreasing, any other number an order of its own.
#pragma once

#include <cstdint>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Of the blocks of a grid, without memory that grows with it.
class MYLOS_EXPORT BlockOrder {
 public:
  BlockOrder(std::uint64_t seed, long blocks);

  /// The block that is run at a position: each position has another one.
  [[nodiscard]] long operator()(long position) const noexcept {
    if (decreasing_) return blocks_ - 1 - position;
    return step_ == 0 ? position : (position * step_ + first_) % blocks_;
  }

 private:
  long blocks_;
  bool decreasing_ = false;
  long step_ = 0;  // from one block to the next; 0: increasing
  long first_ = 0;
};

/// Of a block's threads, chosen anew whenever several can go on.
class MYLOS_EXPORT ThreadOrder {
 public:
  explicit ThreadOrder(std::uint64_t seed = 0, long block = 0) noexcept;

  [[nodiscard]] bool is_increasing() const noexcept { return seed_ == 0; }
  /// One of those that the masks of `warps` warps name; there is one.
  [[nodiscard]] int pick(const unsigned* masks, int warps) noexcept;
  /// Whether others get a turn before a thread's atomic access.
  [[nodiscard]] bool gives_turn() noexcept;

 private:
  std::uint64_t draw() noexcept;

  std::uint64_t seed_;
  std::uint64_t state_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
