// SPDX-License-Identifier: MIT
// The text of kernels/strided/copies.cu, inside the library.
#pragma once

#include <span>

#include <mylos/base/named_text.hpp>

namespace mylos::inline MYLOS_ABI::detail {

extern const std::span<const NamedText> strided_kernels;

}  // namespace mylos::inline MYLOS_ABI::detail
