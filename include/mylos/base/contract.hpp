// SPDX-License-Identifier: MIT
// Mistakes of Mylos' own reasoning. What a caller can get wrong has an error of its own (base/error.hpp).
#pragma once

#include <source_location>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Throws Error "internal error at FILE:LINE: WHAT: ... please report ...". For a branch that cannot be reached.
[[noreturn]] MYLOS_EXPORT void internal_error(std::string_view what,
                                              std::source_location where = std::source_location::current());

}  // namespace mylos::inline MYLOS_ABI
