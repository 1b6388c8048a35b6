// SPDX-License-Identifier: MIT
// What memory held before a launch wrote to it, so that the launch can be run again from the same memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>

#include "emulator/kernel_variables.hpp"
#include "emulator/loader.hpp"
#include "emulator/shadow.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Of the runs of one checked launch: keeps what the first run left, to compare others with, and what was there before,
/// to begin each from. Of device memory what is written is kept, in pieces that belong to one allocation; of the
/// kernel's variables everything. All members but note_write() are called between runs, with device memory open.
class Journal {
 public:
  /// As much as guard zones and allocations are multiples of.
  static constexpr std::size_t piece_bytes = 256;

  explicit Journal(const Module& module);

  /// Device memory, before it is written. Costs a copy of a piece the first time, then a look-up.
  void note_write(std::uintptr_t address, std::size_t bytes);

  /// What is there now is what the first run left.
  void keep_first();
  /// Back to before all runs; to what the first run left. Memory that was freed since then stays so.
  void restore() noexcept;
  void restore_first() noexcept;

  /// Bytes of device memory, or of a variable, that differ now from what the first run left: in pieces, by address.
  struct Piece {
    std::span<const std::byte> first, now;
    const KernelVariable* variable = nullptr;  // null: device memory
    [[nodiscard]] std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(now.data()); }
  };
  void for_each_difference(const std::function<void(const Piece&)>& action) const;

 private:
  struct Kept {
    std::array<std::byte, piece_bytes> before, first;
    std::array<ByteStates, piece_bytes / cell_bytes> states_before, states_first;
  };
  struct Variable {
    KernelVariable variable;
    std::byte* data;
    std::vector<std::byte> before, first;
  };

  [[nodiscard]] std::byte* memory(std::size_t piece) const noexcept;
  [[nodiscard]] ByteStates* states(std::size_t piece) const noexcept;

  std::uintptr_t base_;
  std::map<std::size_t, Kept> pieces_;  // by their number in the arena
  std::size_t last_;                    // that was noted
  std::vector<Variable> variables_;
  bool has_first_ = false;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
