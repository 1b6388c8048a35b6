// SPDX-License-Identifier: MIT
// The shim's files, which the build puts into the library: mylos_embed_texts() in CMakeLists.txt.
#pragma once

#include <span>
#include <string_view>

#include <mylos/base/named_text.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

extern const std::span<const NamedText> shim_texts;

/// Beside a kernel's text the shim lies in this folder, as /shim/ in the paths of its files, and begins with this file.
inline constexpr const char* shim_folder = "shim";
inline constexpr std::string_view in_shim_folder = "/shim/";
inline constexpr const char* shim_file = "mylos_cuda.hpp";

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
