// SPDX-License-Identifier: MIT
// The shim's files inside the library, as cmake/EmbedTexts.cmake writes them.
#pragma once

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

struct ShimText {
  const char* name;
  const char* text;
};

extern const ShimText shim_texts[];
inline constexpr int shim_text_count = MYLOS_SHIM_TEXTS;

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
