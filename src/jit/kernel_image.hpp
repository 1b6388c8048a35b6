// SPDX-License-Identifier: MIT
// A compiled kernel as bytes: in the cache, and in programs that bring their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/jit/compiler.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

[[nodiscard]] MYLOS_EXPORT std::string packed(const CompiledKernel& kernel);
/// "sm_90": of such bytes, without reading the rest of them. Empty when they are none.
[[nodiscard]] MYLOS_EXPORT std::string architecture_in(std::string_view bytes);
/// Nothing when the bytes are not exactly what packed() gave.
[[nodiscard]] MYLOS_EXPORT std::optional<CompiledKernel> unpacked(std::string_view bytes);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
