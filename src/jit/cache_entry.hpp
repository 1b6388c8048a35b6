// SPDX-License-Identifier: MIT
// The form of a file of the cache.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// What stands before the bytes.
struct CacheEntryHead {
  std::string_view key;
  std::string_view checksum;  // of all that follows it
  std::string_view description;
  std::size_t size = 0;  // where the bytes begin
};

/// The file's contents. The description becomes one line.
std::string pack_cache_entry(std::string_view key, std::string_view description, std::string_view bytes);

/// What the beginning of a file says; nothing when it is no beginning of an entry.
std::optional<CacheEntryHead> head_of_cache_entry(std::string_view file);

/// The bytes of a whole file; nothing when it is not exactly what was written for this key.
std::optional<std::string_view> bytes_of_cache_entry(std::string_view file, std::string_view key);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
