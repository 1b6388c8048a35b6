// SPDX-License-Identifier: MIT
// The files that a kernel's text consists of.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit {

/// Where the #include lines of a text are resolved, the same for every compiler.
struct IncludeFolders {
  std::filesystem::path own;  ///< for quoted names, first: the file's folder; empty where the text is of no file
  std::vector<std::filesystem::path> further;  ///< for all names, in this order
};

/// `file` may be empty (a text of no file) or relative; `further` is what -I and --include-path in `options` say, then
/// `include_dirs`.
[[nodiscard]] MYLOS_EXPORT IncludeFolders include_folders(const std::filesystem::path& file,
                                                          std::span<const std::string> options,
                                                          std::span<const std::filesystem::path> include_dirs);

/// The files that the #include lines of `text` reach, transitively, in the order of their first appearance.
///
/// `#include "name"` is looked for beside the including file (`folders.own` for the text itself), then in
/// `folders.further`; `#include <name>` in `folders.further` only. Names that are found nowhere
/// (Mylos' embedded headers, missing files) are left out; lines in comments and under "#if 0" do not count, those of
/// other conditionals do. Throws Error when a file that exists cannot be read.
[[nodiscard]] MYLOS_EXPORT std::vector<std::filesystem::path> included_files(std::string_view text,
                                                                             const IncludeFolders& folders);

}  // namespace mylos::inline MYLOS_ABI::jit
