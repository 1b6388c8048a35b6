// SPDX-License-Identifier: MIT
// Compiled kernels on disk, so that the next process need not compile them: docs/decisions/0008-kernel-cache.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit {

struct CacheOptions {
  bool shared = false;                       ///< takes a folder that others own or may write to: their code is then run
  std::uintmax_t most_bytes = 512ULL << 20;  ///< above, what was not used for longest is removed
};

/// A folder of bytes by key, for any number of processes and threads at a time.
///
/// Entries are written aside and renamed, so that there are whole ones or none. They carry a checksum: a damaged one is
/// told by one warning and is as if it were not there. Nothing that goes wrong with the folder stops a program: the
/// first such thing is told by one warning per object, then it is as if there were nothing to load and nothing to keep.
/// Folders are made when first needed, open to their owner only. A folder that is another user's, or that others may
/// write to, is not used: what lies in there is run.
class MYLOS_EXPORT Cache {
 public:
  /// Touches nothing. A relative folder is one of the present working directory.
  explicit Cache(const std::filesystem::path& folder, CacheOptions options = {});
  ~Cache() = default;
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// What the environment asks for now: MYLOS_CACHE_DIR, else $XDG_CACHE_HOME/mylos, else ~/.cache/mylos; nullptr with
  /// MYLOS_CACHE=0, and where there is no home. Always the same object for the same answer. Throws ValueError for
  /// values that the variables do not take.
  [[nodiscard]] static Cache* of_process();

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

  /// The bytes kept under a key, which then count as used. Cost: reads one file.
  [[nodiscard]] std::optional<std::string> load(std::string_view key) noexcept;
  /// Keeps bytes; an entry of the same key is replaced. `description`, one line, is for entries(). Keys are what
  /// Hasher::hex() gives; others are refused by ValueError.
  /// Cost: writes one file and flushes it; the first call of a process, and then one from time to time, also removes
  /// entries in excess of `most_bytes`, and files older than an hour that killed processes left half-written.
  void store(std::string_view key, std::string_view description, std::string_view bytes);

  struct Entry {
    std::string key;
    std::string description;
    std::uintmax_t bytes = 0;              ///< of the file
    std::filesystem::file_time_type used;  ///< within an hour
  };
  /// All entries, the one used last first. Throws CacheError when the folder cannot be read; none where none is.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// Removes all entries and half-written files, and nothing else; returns the number of entries. Throws CacheError.
  std::size_t clear();

 private:
  enum class Access { load, store };
  [[nodiscard]] bool usable(Access access);
  [[nodiscard]] std::filesystem::path file_of(std::string_view key) const;
  void write(std::string_view key, std::string_view entry);
  void tidy(std::uintmax_t stored);
  void warn_once(const std::string& message) noexcept;

  std::filesystem::path folder_;
  CacheOptions options_;
  std::atomic<bool> warned_ = false;
  std::atomic<bool> unwritable_ = false;
  std::mutex tidying_;
  std::optional<std::uintmax_t> stored_since_tidying_;
};

}  // namespace mylos::inline MYLOS_ABI::jit
