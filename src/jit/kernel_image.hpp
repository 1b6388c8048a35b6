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
/// Nothing when the bytes are not exactly what packed() gave.
[[nodiscard]] MYLOS_EXPORT std::optional<CompiledKernel> unpacked(std::string_view bytes);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
