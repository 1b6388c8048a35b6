// SPDX-License-Identifier: MIT
// What checks saw, and its words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>

#include "emulator/line_lookup.hpp"
#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// What is at an address.
struct Memory {
  enum class Of { device, shared, dynamic_shared, global };
  Of of = Of::device;
  std::string name = {};    // a View's label, a variable's name
  std::size_t bytes = 0;    // of it
  std::int64_t offset = 0;  // of the address in it, or next to it
};

/// "View 'x'", "the shared array 's'"
std::string name_of(const Memory& memory);

/// An access that cannot be let happen.
struct Attempt {
  enum class Fault { outside, misaligned };
  Fault fault = Fault::outside;
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  bool writes = false;
  std::uintptr_t code = 0;
};

/// An access in the launch; `code` is its instruction's offset in the kernel's file.
struct Witness {
  long block = 0;
  int thread = 0;
  std::uint32_t code = 0;
  bool writes = false;
};

/// An access that reads what nobody wrote, or that is not ordered behind an earlier one.
struct Sighting {
  Kind kind = Kind::race;
  Memory memory;
  std::uintptr_t address = 0;
  std::int64_t bytes = 0;  // of the access
  Witness now;
  std::optional<Witness> before;
  /// Which of the two is a plain read that met an atomic write, if one is: it may be harmless, see read_uses.hpp.
  enum class PlainRead { none, now, before };
  PlainRead plain_read = PlainRead::none;
  /// Where both are volatile or atomic: their address, which may be that of a flag.
  std::optional<std::uintptr_t> flag = std::nullopt;
};

/// Where a witness was, with the line of its code.
Site site_of(const Witness& witness, const mylos_launch& launch, const std::optional<Line>& line);

/// `now_at` and `before_at`: the lines of the witnesses' code.
Finding finding_of(const Sighting& sighting, const mylos_launch& launch, const std::optional<Line>& now_at,
                   const std::optional<Line>& before_at);

/// "a read of 4 bytes"
std::string access_text(bool writes, std::size_t bytes);
/// Of an access, by what it is called, that must be at a multiple of `alignment`.
std::string misaligned_text(std::string_view access, std::size_t alignment);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
