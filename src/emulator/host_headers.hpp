// SPDX-License-Identifier: MIT
// Headers of the host and of the CUDA toolkit in the text of a kernel.
#pragma once

#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Where the stand-ins lie among the shim's files. Searched behind the user's folders, before the machine's.
inline constexpr std::string_view host_header_folder = "host";

/// One line for each such #include that a compiler's log tells of, and what to do; empty when there is none. All other
/// errors follow from them.
std::string explain_host_headers(std::string_view log);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
