// SPDX-License-Identifier: MIT
// Which processor -march=native means.
#pragma once

#include <string>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Differs where two machines' processors, or what the system lets programs use of them, do. Asked once.
const std::string& host_cpu();

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
