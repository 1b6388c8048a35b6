// SPDX-License-Identifier: MIT
// What a phase did against what it may.
#pragma once

#include <string>
#include <vector>

#include <mylos/transfers/budget.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Throws ValueError for a negative limit, naming it.
void require_natural(const std::string& phase, const Limits& limits);

/// A sentence for each limit that is exceeded, with the largest transfer of that direction.
void add_violations(std::vector<std::string>& found, const std::string& phase, const PhaseCounts& did,
                    const Limits& limits);

}  // namespace mylos::inline MYLOS_ABI::detail
