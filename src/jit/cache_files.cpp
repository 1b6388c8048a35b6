// SPDX-License-Identifier: MIT
#include "jit/cache_files.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>
#include <mylos/jit/cache.hpp>

#include "jit/cache_entry.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace detail {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t key_size = 32;

// "KEY.kernel"
bool begins_as_an_entry(std::string_view name) {
  return is_cache_key(name.substr(0, key_size)) &&
         name.substr(std::min(key_size, name.size())).starts_with(cache_suffix);
}

}  // namespace

bool is_cache_key(std::string_view text) noexcept {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == key_size && std::ranges::all_of(text, is_digit);
}

std::vector<CacheFile> cache_files_in(const fs::path& folder) {
  std::vector<CacheFile> found;
  std::error_code code;
  fs::directory_iterator entry(folder, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    const std::string name = entry->path().filename();
    const bool is_entry = begins_as_an_entry(name) && name.size() == key_size + cache_suffix.size();
    const bool is_half = name.starts_with('.') && begins_as_an_entry(name.substr(1)) && name.ends_with(".tmp");
    if (!is_entry && !is_half) continue;
    std::error_code gone;  // others remove files too
    CacheFile file{.path = entry->path(), .is_entry = is_entry, .bytes = entry->file_size(gone), .used = {}};
    if (!gone) file.used = entry->last_write_time(gone);
    if (!gone) found.push_back(std::move(file));
  }
  if (code && code != std::errc::no_such_file_or_directory) {
    throw CacheError(fmt::format("cannot list the kernel cache '{}': {}: check the path and its permissions",
                                 folder.string(), code.message()));
  }
  return found;
}

}  // namespace detail

std::vector<Cache::Entry> Cache::entries() const {
  constexpr std::size_t enough_for_the_head = 4096;
  std::vector<Entry> result;
  for (const detail::CacheFile& file : detail::cache_files_in(folder_)) {
    if (!file.is_entry) continue;
    std::array<char, enough_for_the_head> beginning{};
    std::ifstream stream(file.path, std::ios::binary);
    stream.read(beginning.data(), beginning.size());
    const auto head = detail::head_of_cache_entry({beginning.data(), static_cast<std::size_t>(stream.gcount())});
    result.push_back({.key = file.path.stem(),
                      .description = head ? std::string(head->description) : "damaged",
                      .bytes = file.bytes,
                      .used = file.used});
  }
  std::ranges::sort(result, std::ranges::greater(), &Entry::used);
  return result;
}

std::size_t Cache::clear() {
  std::size_t entries = 0;
  for (const detail::CacheFile& file : detail::cache_files_in(folder_)) {
    std::error_code code;
    const bool removed = std::filesystem::remove(file.path, code);
    if (code) {
      throw CacheError(fmt::format("cannot remove '{}' from the kernel cache: {}: check the permissions of its folder",
                                   file.path.string(), code.message()));
    }
    if (removed && file.is_entry) ++entries;
  }
  return entries;
}

void Cache::tidy(std::uintmax_t stored) {
  const std::lock_guard lock(tidying_);
  const bool is_first = !stored_since_tidying_;
  stored_since_tidying_ = stored_since_tidying_.value_or(0) + stored;
  if (!is_first && *stored_since_tidying_ < options_.most_bytes / 16) return;
  stored_since_tidying_ = 0;

  const auto before_now = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::vector<detail::CacheFile> files = detail::cache_files_in(folder_);
  std::error_code others_may_have_removed_it;
  std::uintmax_t total = 0;
  for (const detail::CacheFile& file : files) {
    if (file.is_entry) total += file.bytes;
    if (!file.is_entry && file.used < before_now) std::filesystem::remove(file.path, others_may_have_removed_it);
  }
  if (total <= options_.most_bytes) return;
  std::erase_if(files, [](const detail::CacheFile& file) { return !file.is_entry; });
  std::ranges::sort(files, {}, &detail::CacheFile::used);
  std::size_t removed = 0;
  // Below the bound, so that not every entry to come is one too many.
  for (; removed + 1 < files.size() && total > options_.most_bytes - options_.most_bytes / 8; ++removed) {
    std::filesystem::remove(files[removed].path, others_may_have_removed_it);
    total -= files[removed].bytes;
  }
  log::info(fmt::format("{} entries that were not used for longest are removed from the kernel cache '{}'", removed,
                        folder_.string()));
}

}  // namespace mylos::inline MYLOS_ABI::jit
