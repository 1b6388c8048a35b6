// SPDX-License-Identifier: MIT
// The variables of a kernel's text in what a compiler for GPUs made of it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// Those at namespace scope (__device__, __constant__, __managed__), by the names that they have in the text, with
/// namespaces: the symbols by which the driver knows them. Of a cubin or PTX; throws Error for an image that is
/// damaged.
[[nodiscard]] MYLOS_EXPORT std::map<std::string, std::string, std::less<>> variables_in(std::string_view image);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
