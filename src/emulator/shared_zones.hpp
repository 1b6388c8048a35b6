// SPDX-License-Identifier: MIT
// Room between the variables of checked kernels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Bytes behind each shared array, and around each variable of the device, that belong to nobody: an index that is too
/// large by less is found.
inline constexpr std::size_t zone_between_arrays = 1024;

/// The compiler's assembler text with a zone behind each thread-local variable, and on both sides of each other one. In
/// the text, because the kernel's own declarations come in too many forms to be rewritten.
std::string with_zones(std::string_view assembler);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
