// SPDX-License-Identifier: MIT
// Whole files, read and written so that a reader never sees half of one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// The bytes of a file. Throws Error naming the path and the system's reason.
MYLOS_EXPORT std::string read_file(const std::filesystem::path& path);

/// Writes beside `path` under a name unique to host, process and call, flushes to disk, renames.
/// An old file stays intact until the rename; the temporary is removed on failure. Throws Error.
MYLOS_EXPORT void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace mylos::inline MYLOS_ABI
