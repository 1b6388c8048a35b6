// SPDX-License-Identifier: MIT
// The arrays that cmake/EmbedTexts.cmake writes, and how many entries the build put in them.
#pragma once

#include <mylos/jit/headers.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

// Device headers first, standard headers behind them.
extern const HeaderText embedded_headers[];

}  // namespace mylos::inline MYLOS_ABI::jit::detail
