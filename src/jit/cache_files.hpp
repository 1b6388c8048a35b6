// SPDX-License-Identifier: MIT
// What lies in the folder of a cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// Entries are called KEY.kernel; while they are written, .KEY.kernel.(...).tmp.
inline constexpr std::string_view cache_suffix = ".kernel";

bool is_cache_key(std::string_view text) noexcept;

struct CacheFile {
  std::filesystem::path path;
  bool is_entry = false;  // else one that is, or was, being written
  std::uintmax_t bytes = 0;
  std::filesystem::file_time_type used;
};

/// Files of a cache in a folder; all others are not ours. Throws CacheError; none where there is no folder.
std::vector<CacheFile> cache_files_in(const std::filesystem::path& folder);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
