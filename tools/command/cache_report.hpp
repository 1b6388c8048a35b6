// SPDX-License-Identifier: MIT
// What `mylos cache list` prints.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <mylos/jit/cache.hpp>

namespace mylos_command {

using CacheEntries = std::vector<mylos::jit::Cache::Entry>;

/// A line for each entry, then their number, their size in all, and where they are.
[[nodiscard]] std::string table(const CacheEntries& entries, const std::filesystem::path& folder);
/// The entries as JSON: [{"bytes": 1024, "description": "..."}, ...].
[[nodiscard]] std::string json(const CacheEntries& entries);

}  // namespace mylos_command
