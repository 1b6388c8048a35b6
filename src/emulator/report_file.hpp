// SPDX-License-Identifier: MIT
// Findings for programs to read.
#pragma once

#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// One line of JSON without its end: kind, kernel, sites (block, thread, file, line, column, source, value,
/// order_seed), label, index, text. What is not known is left out.
std::string json_line(const Finding& finding);

/// Appends a line for each finding to the file that MYLOS_EMULATOR_REPORT names, if it is set; `stderr` means their
/// text there, in colours where that is a terminal. A file that cannot be written is told in the log.
void append_to_report(const std::vector<Finding>& findings);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
