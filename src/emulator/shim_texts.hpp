// SPDX-License-Identifier: MIT
// The shim's files, which the build puts into the library: mylos_embed_texts() in CMakeLists.txt.
#pragma once

#include <span>

#include <mylos/base/named_text.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

extern const std::span<const NamedText> shim_texts;

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
