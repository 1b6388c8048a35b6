// SPDX-License-Identifier: MIT
// Stacks of fibers, each with an inaccessible page below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Grows on demand and keeps what it has; a stack takes memory only where it was touched.
class Stacks {
 public:
  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// Makes at least `count` stacks of `bytes` available; other sizes than before replace what is there.
  /// Throws BackendError when the system refuses.
  void reserve(std::size_t count, std::size_t bytes);

  /// The highest address of a stack, aligned to 16 bytes. Tops are staggered: at equal distances modulo the page size
  /// the stacks of a block would meet in the same few lines of the cache.
  [[nodiscard]] std::uintptr_t top(std::size_t index) const noexcept { return tops_[index]; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// Where the stack ends that the address is on; 0: it is on none.
  [[nodiscard]] std::uintptr_t end_of(std::uintptr_t address) const noexcept;
  /// Whether the address lies in one of the inaccessible pages.
  [[nodiscard]] bool is_guard(std::uintptr_t address) const noexcept;

 private:
  void add_group();
  void release() noexcept;

  std::size_t bytes_ = 0;   // of one stack
  std::size_t stride_ = 0;  // with its guard page
  std::vector<std::uintptr_t> groups_;
  std::vector<std::uintptr_t> tops_;  // by index
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
