// SPDX-License-Identifier: MIT
// In which columns of their lines instructions are, which addr2line does not tell.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// A line in which an address of the file is, as far as it is known.
struct AddressInLine {
  std::uint64_t address = 0;
  int line = 0;
};

/// The columns, counted from 1, from the line tables (DWARF 2 to 5) of a shared object. 0 where they have none, or
/// where the innermost line at the address is another one: that of a function which was inlined. Throws nothing for
/// tables that are damaged: there are no columns then.
MYLOS_EXPORT std::vector<int> columns_of(const std::string& shared_object, std::span<const AddressInLine> places);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
