// SPDX-License-Identifier: MIT
// MYLOS_KERNEL_PATH: folders whose .cu files a running program takes instead of its own ports.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// <folder>/<kernel>/<kernel>.cu, else <folder>/<kernel>.cu, of the first folder that has one; absolute. Nothing where
/// the variable is not set, or no folder has one. The log tells what was found. Throws ValueError for a folder that
/// does not exist.
[[nodiscard]] std::optional<std::filesystem::path> file_in_kernel_path(std::string_view kernel);

}  // namespace mylos::inline MYLOS_ABI::detail
