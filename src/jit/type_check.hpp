// SPDX-License-Identifier: MIT
// Types as a compiler finds them, in words.
#pragma once

#include <cstdint>
#include <string>

#include <mylos/base/abi.hpp>
#include <mylos/jit/signature.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// "a signed integer of 4 bytes".
[[nodiscard]] std::string type_text(TypeClass type, std::uint32_t size);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
