// SPDX-License-Identifier: MIT
// The reserved range of addresses behind the emulated device's memory, and its protection.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// One range, reserved once and kept until the process ends: addresses must stay invalid, not become someone else's.
class Arena {
 public:
  /// Reserves at the first call. Throws BackendError when the system has no addresses to give.
  static Arena& instance();
  /// The arena if it exists already; never reserves, so that it can be asked anywhere.
  static Arena* existing() noexcept { return existing_.load(std::memory_order_acquire); }

  [[nodiscard]] std::uintptr_t base() const noexcept { return base_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool contains(std::uintptr_t address) const noexcept { return address - base_ < size_; }

  /// Extends the range that open() makes accessible to at least [0, end).
  void use_up_to(std::size_t end);
  /// Forgets what the pages wholly inside [begin, end) hold; they read as zero when used again.
  void discard(std::size_t begin, std::size_t end) const noexcept;

  void open();
  void close() noexcept;
  /// Whether several OS threads that are alive have opened it so far: each may do so again at any time.
  [[nodiscard]] static bool has_several_users() noexcept;
  [[nodiscard]] bool is_open() const noexcept { return openings_.load(std::memory_order_acquire) > 0; }

 private:
  Arena();
  bool protect(std::size_t begin, std::size_t end, int protection) const noexcept;

  static std::atomic<Arena*> existing_;
  std::uintptr_t base_ = 0;
  std::size_t size_ = 0;
  std::size_t used_ = 0;  // a multiple of the huge page size, so that opening splits no huge page
  std::atomic<int> openings_ = 0;
  std::mutex mutex_;  // guards used_ and the steps 0 -> 1 and 1 -> 0 of openings_
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
