// SPDX-License-Identifier: MIT
#include <mylos/jit/cache.hpp>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>

#include "base/texts.hpp"
#include "jit/cache_entry.hpp"
#include "jit/cache_files.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view what_to_try = "name a folder of your own in MYLOS_CACHE_DIR, or do without by MYLOS_CACHE=0";

bool is_trusted(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string why_not_trusted(const struct stat& status) {
  if (status.st_uid != ::geteuid()) {
    return fmt::format("belongs to another user (number {}, this process runs as {})", status.st_uid, ::geteuid());
  }
  return fmt::format("may be written by others (mode {:04o})", status.st_mode & 07777);
}

// 0, or an error number. Those that are there already may be anybody's, on the way to ours.
int make_folders(const fs::path& folder) {
  fs::path path;
  for (const fs::path& name : folder) {
    path /= name;
    if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
      // Of a folder above that we may not write to, it does not matter whether it could have been made.
      const int code = errno;
      struct stat status = {};
      if (::stat(path.c_str(), &status) != 0) return code;
    }
  }
  return 0;
}

// So that eviction knows; an hour's precision spares most loads the write.
void note_use(const fs::path& file, const struct stat& status) {
  constexpr std::time_t precision = 3600;
  if (status.st_mtime + precision > std::time(nullptr)) return;
  static_cast<void>(::utimensat(AT_FDCWD, file.c_str(), nullptr, 0));  // where it may not be written: never mind
}

}  // namespace

Cache::Cache(const fs::path& folder, CacheOptions options) : folder_(fs::absolute(folder)), options_(options) {}

void Cache::warn_once(const std::string& message) noexcept {
  if (!warned_.exchange(true)) log::warning(message);
}

fs::path Cache::file_of(std::string_view key) const {
  if (!detail::is_cache_key(key)) {
    throw ValueError(
        fmt::format("'{}' is no key of the kernel cache: it must be 32 hexadecimal digits, which name a "
                    "file: take Hasher::hex()",
                    key));
  }
  return folder_ / fmt::format("{}{}", key, detail::cache_suffix);
}

bool Cache::usable(Access access) {
  struct stat status = {};
  int code = ::stat(folder_.c_str(), &status) == 0 ? 0 : errno;
  if (code == ENOENT && access == Access::load) return false;
  if (code == ENOENT) {
    code = make_folders(folder_);
    if (code == 0 && ::stat(folder_.c_str(), &status) != 0) code = errno;
  }
  if (code == 0 && !S_ISDIR(status.st_mode)) code = ENOTDIR;
  if (code != 0) {
    warn_once(fmt::format("the kernel cache '{}' cannot be used: {}: compiled kernels are not kept: {}",
                          folder_.string(), mylos::detail::system_reason(code), what_to_try));
    return false;
  }
  if (options_.shared || is_trusted(status)) return true;
  warn_once(
      fmt::format("the kernel cache '{}' is not used: it {}, whose code would run as yours: take the right to write "
                  "away from others (chmod go-w), {}, or trust all who may write there by MYLOS_CACHE_SHARED=1",
                  folder_.string(), why_not_trusted(status), what_to_try));
  return false;
}

std::optional<std::string> Cache::load(std::string_view key) noexcept {
  try {
    const fs::path file = file_of(key);
    struct stat status = {};
    if (!usable(Access::load) || ::stat(file.c_str(), &status) != 0) return std::nullopt;
    std::string why = options_.shared || is_trusted(status) ? "" : why_not_trusted(status);
    if (why.empty()) {
      std::string contents = read_file(file);
      if (const auto bytes = detail::bytes_of_cache_entry(contents, key)) {
        note_use(file, status);
        contents.erase(0, contents.size() - bytes->size());
        return contents;
      }
      why = "is damaged";
    }
    log::warning(fmt::format("an entry of the kernel cache {}: the kernel is compiled again and '{}' replaced", why,
                             file.string()));
  } catch (const std::exception& error) {
    log::warning(fmt::format("an entry of the kernel cache cannot be read: {}", error.what()));
  }
  return std::nullopt;
}

void Cache::write(std::string_view key, std::string_view entry) {
  const fs::path file = file_of(key);
  const auto write_once = [&] {
    StagedFile staged(file);
    if (!options_.shared) fs::permissions(staged.path(), fs::perms::owner_read | fs::perms::owner_write);
    staged.write(entry);
    staged.publish();
  };
  try {
    write_once();
  } catch (const std::exception&) {
    // Somebody may have removed the folder meanwhile.
    if (::access(folder_.c_str(), F_OK) == 0 || make_folders(folder_) != 0) throw;
    write_once();
  }
}

void Cache::store(std::string_view key, std::string_view description, std::string_view bytes) {
  static_cast<void>(file_of(key));  // throws for what is no key
  if (unwritable_ || !usable(Access::store)) return;
  try {
    const std::string entry = detail::pack_cache_entry(key, description, bytes);
    if (entry.size() > options_.most_bytes) return;
    write(key, entry);
    tidy(entry.size());
  } catch (const std::exception& error) {
    unwritable_ = true;
    warn_once(fmt::format("compiled kernels are not kept from now on: {}: make room or {}", error.what(), what_to_try));
  }
}

}  // namespace mylos::inline MYLOS_ABI::jit
