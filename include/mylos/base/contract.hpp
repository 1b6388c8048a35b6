// SPDX-License-Identifier: MIT
// Mistakes of Mylos' own reasoning: only what cannot happen. A precondition of a public function that a caller breaks
// is an error of the tree below mylos::Error (base/error.hpp), in every build.
#pragma once

#include <source_location>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Throws Error "internal error at FILE:LINE: WHAT: ... please report ...". For a branch that cannot be reached.
[[noreturn]] MYLOS_EXPORT void internal_error(std::string_view what,
                                              std::source_location where = std::source_location::current());

}  // namespace mylos::inline MYLOS_ABI
