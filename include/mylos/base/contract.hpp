// SPDX-License-Identifier: MIT
// Checks of Mylos' own reasoning. What a caller can get wrong has an error of its own (base/error.hpp); what only a
// mistake inside Mylos can bring about is checked here, in every build: none of these checks is on a hot path.
#pragma once

#include <source_location>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Throws Error "internal error at FILE:LINE: WHAT: ... please report ...". For a branch that cannot be reached.
[[noreturn]] MYLOS_EXPORT void internal_error(std::string_view what,
                                              std::source_location where = std::source_location::current());

/// Calls internal_error unless `holds`. `statement` says what should have been true.
inline void ensure(bool holds, std::string_view statement,
                   std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]] {
    internal_error(statement, where);
  }
}

}  // namespace mylos::inline MYLOS_ABI
