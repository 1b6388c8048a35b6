// SPDX-License-Identifier: MIT
// The compiler's messages, shown with the lines of the kernel's text that they are about.
#pragma once

#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// The errors in `log`, each with numbered lines around it and a caret where it is in `file`, whose text is `text`.
/// Without a message that can be told apart, the log as it is.
std::string explained_errors(std::string_view log, std::string_view file, std::string_view text);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
