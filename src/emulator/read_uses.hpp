// SPDX-License-Identifier: MIT
// What reads are for, as far as the next access of the same thread to the same address tells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Two kinds of reads meet others' writes without an order, and do no harm.
///
/// Guesses: `old = *address; do { assumed = old; old = atomicCAS(address, assumed, f(assumed)); } while (assumed !=
/// old);` is how CUDA's own guide makes atomic functions that it lacks. What the first read gives is only tried. Once a
/// thread was seen going on to a compare-and-swap, the line is such a guess's, also where a thread finds that it has
/// nothing to do.
///
/// Polls: a volatile variable that a thread reads again and again is a flag, which hands over nothing but itself as
/// long as there are no fences.
class ReadUses {
 public:
  explicit ReadUses(int threads_per_block) : reads_(static_cast<std::size_t>(threads_per_block)) {}

  void begin_block() { ++block_; }
  /// The last few addresses that a thread reads are remembered.
  void note_read(int thread, std::uintptr_t address, std::uint32_t code) {
    slot(thread, address) = {address, code, block_};
  }
  void note_volatile_read(int thread, std::uintptr_t address, std::uint32_t code) {
    Read& read = slot(thread, address);
    if (read.address == address && read.block == block_ && read.code == code) polled_.insert(address);
    read = {address, code, block_};
  }
  /// A compare-and-swap, or an atomic minimum and the like: see mylos_compares.
  void note_compare(int thread, std::uintptr_t address) {
    Read& read = slot(thread, address);
    if (read.address == address && read.block == block_) guesses_.insert(read.code);
    read = {};
  }
  /// Any other access of the thread to the address.
  void note_other(int thread, std::uintptr_t address) {
    Read& read = slot(thread, address);
    if (read.address == address) read = {};
  }

  /// The instructions that read guesses, as far as the launch has come.
  [[nodiscard]] const std::unordered_set<std::uint32_t>& guesses() const noexcept { return guesses_; }
  [[nodiscard]] bool is_polled(std::uintptr_t address) const { return polled_.contains(address); }

 private:
  static constexpr std::size_t slots = 16;
  struct Read {
    std::uintptr_t address = 0;
    std::uint32_t code = 0;
    std::uint32_t block = 0;
  };
  Read& slot(int thread, std::uintptr_t address) {
    return reads_[static_cast<std::size_t>(thread)][address / 4 % slots];
  }

  std::vector<std::array<Read, slots>> reads_;  // of each thread
  std::uint32_t block_ = 1;
  std::unordered_set<std::uint32_t> guesses_;
  std::unordered_set<std::uintptr_t> polled_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
