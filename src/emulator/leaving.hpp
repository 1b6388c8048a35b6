// SPDX-License-Identifier: MIT
// For functions that a kernel calls and that may not come back to it.
#pragma once

#include <cstdint>

#include <mylos/base/abi.hpp>

// Functions that leave a fiber for good look to a sanitizer like functions that never end.
#define MYLOS_LEAVES_FIBER __attribute__((no_sanitize("address", "thread", "undefined")))

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// The call that comes back to an address. A function that never returns has none of its own behind its call: the
/// return address may be that of other code.
constexpr std::uintptr_t instruction_before(std::uintptr_t return_address) noexcept { return return_address - 1; }
inline std::uintptr_t instruction_before(const void* return_address) noexcept {
  return instruction_before(reinterpret_cast<std::uintptr_t>(return_address));
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
