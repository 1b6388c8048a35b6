// SPDX-License-Identifier: MIT
// The files that a kernel's text consists of.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit {

/// The files that the #include lines of `text` reach, transitively, in the order of their first appearance.
///
/// `#include "name"` is looked for beside the including file (`directory` for the text itself; empty: nowhere), then in
/// `include_dirs` in order; `#include <name>` in `include_dirs` only, as NVRTC does. Names that are found nowhere
/// (Mylos' embedded headers, missing files) are left out; lines in comments and under "#if 0" do not count, those of
/// other conditionals do. Throws Error when a file that exists cannot be read.
[[nodiscard]] MYLOS_EXPORT std::vector<std::filesystem::path> included_files(
    std::string_view text, const std::filesystem::path& directory, std::span<const std::filesystem::path> include_dirs);

}  // namespace mylos::inline MYLOS_ABI::jit
