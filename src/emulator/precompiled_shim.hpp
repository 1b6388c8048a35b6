// SPDX-License-Identifier: MIT
// The shim as the compiler has read it: three quarters of the time that most kernels take.
#pragma once

#include <string>
#include <vector>

#include <mylos/base/abi.hpp>

#include "base/process.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Puts what g++ made of the shim into the folder, where g++ takes it up by itself if it fits the command that it is
/// called with; otherwise it reads the text, if that is there. Returns whether there is any: kept from an earlier call.
/// `command`: the compiler and its options, but for folders.
bool load_precompiled_shim(const mylos::detail::TemporaryFolder& folder, const std::vector<std::string>& command);
/// Makes it of the text, which is there, and keeps it. Returns whether it is there now: not for another compiler than
/// g++, not with MYLOS_CACHE=0, and where it cannot be kept only at the first call of a process.
bool make_precompiled_shim(const mylos::detail::TemporaryFolder& folder, const std::vector<std::string>& command);
/// For the rest of the process: the compiler cannot use it, and does with the text what it could not do with this.
void give_up_precompiled_shim(const std::vector<std::string>& command);
/// From now on the compiler reads the text in this folder.
void remove_precompiled_shim(const mylos::detail::TemporaryFolder& folder);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
