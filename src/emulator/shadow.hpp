// SPDX-License-Identifier: MIT
// What checks know of memory, four bytes at a time: may it be used, was it written, who was there last.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Of four bytes: bits 0 to 3, whether each belongs to somebody; bits 4 to 7, whether it was written.
using ByteStates = std::uint8_t;
inline constexpr std::size_t cell_bytes = 4;
inline constexpr ByteStates all_given = 0x0f, all_written = 0xff;

/// Threads that made accesses of one kind which nothing orders: one of them, several lanes of one warp at the same
/// time, threads of several warps, threads of several blocks. What a word holds is told in race_detector.hpp. All zero:
/// none.
struct Accesses {
  std::uint64_t word = 0;
  std::uint32_t code = 0;    // of one of them: its offset in the kernel's file
  std::uint32_t others = 0;  // more of who they were
};

/// The last accesses to four bytes, or to one.
struct Cell {
  Accesses written;
  Accesses read;
};
static_assert(sizeof(Cell) == 32, "two cells, which are a double, share a line of the cache");

/// A range of addresses with the state and the last accesses of each four bytes of it.
struct ShadowedRange {
  std::uintptr_t begin = 0;  // a multiple of 16
  std::size_t bytes = 0;
  ByteStates* states = nullptr;
  Cell* cells = nullptr;
  std::uint64_t oldest = 0;                  // accesses before this moment are forgotten
  std::deque<std::array<Cell, 4>> bytewise;  // cells that were accessed byte by byte

  [[nodiscard]] bool holds(std::uintptr_t address) const noexcept { return address - begin < bytes; }
};

/// From here on the bytes belong to somebody, who has not written them yet.
void give(ByteStates* states, std::size_t offset, std::size_t bytes) noexcept;
void take_away(ByteStates* states, std::size_t offset, std::size_t bytes) noexcept;
/// Those of the bytes that belong to somebody count as written.
void mark_written(ByteStates* states, std::size_t offset, std::size_t bytes) noexcept;
/// Of those that belong to somebody, the ones count as written whose counterparts from `source` on do.
void copy_writes(ByteStates* states, std::size_t destination, std::size_t source, std::size_t bytes);
/// As if none had been written.
void forget_writes(ByteStates* states, std::size_t bytes) noexcept;

/// Of the emulated device's memory; there is none as long as nobody has asked for checks. Costs addresses until then,
/// afterwards a quarter of the memory in use, and eight times what checked kernels access.
class Shadow {
 public:
  /// Reserves at the first call. Throws BackendError when the system has no addresses to give.
  static Shadow& instance();
  static Shadow* existing() noexcept { return existing_.load(std::memory_order_acquire); }

  [[nodiscard]] ByteStates* states() const noexcept { return states_; }
  [[nodiscard]] Cell* cells() const noexcept { return cells_; }
  /// Gives back the memory of what is remembered of the accesses to a part of the device's memory.
  void forget_accesses(std::size_t offset, std::size_t bytes) const noexcept;

 private:
  Shadow();

  static std::atomic<Shadow*> existing_;
  ByteStates* states_ = nullptr;
  Cell* cells_ = nullptr;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
