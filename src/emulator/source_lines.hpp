// SPDX-License-Identifier: MIT
// The lines of a kernel's text and of the files that it includes, for messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/finding.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// What a file holds that a compiler or debug information names: the source's own text, a file that it brings along, or
/// one on disk.
std::optional<std::string> text_of(const Source& source, const std::string& file);

/// Site::source of all sites whose line is known and is there.
void quote_lines(std::vector<Finding>& findings, const Source& source);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
