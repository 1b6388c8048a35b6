// SPDX-License-Identifier: MIT
// The header texts that the build puts into the library: mylos_embed_texts() in CMakeLists.txt.
#pragma once

#include <span>

#include <mylos/base/named_text.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

// Device headers first, standard headers behind them.
extern const std::span<const NamedText> embedded_headers;
// What the table of parameters is made with: one header, mylos_parameters.hpp.
extern const std::span<const NamedText> parameter_texts;

}  // namespace mylos::inline MYLOS_ABI::jit::detail
