// SPDX-License-Identifier: MIT
// How memory is known that kernels allocate themselves.
#pragma once

#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// The label of what malloc or new gave in a checked kernel. No View's: those are the host's to free.
inline constexpr std::string_view heap_label = "malloc in a kernel";

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
