// SPDX-License-Identifier: MIT
// Whole files, read and written so that a reader never sees half of one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// The bytes of a regular file. Throws Error naming the path and the system's reason.
[[nodiscard]] MYLOS_EXPORT std::string read_file(const std::filesystem::path& path);

/// What publishing does when the target is there already.
enum class IfExists { replace, refuse };

/// A file that is written aside, in the folder of its target, and takes the target's place in one step.
///
/// Until publish() the target is untouched; a process that is killed leaves at most the temporary, a hidden file
/// `.<target>.<host>.<process>.<number>.tmp` that no other process or call uses. A symbolic link at the target is
/// replaced, not followed. The destructor removes a temporary that was not published.
class MYLOS_EXPORT StagedFile {
 public:
  /// Creates the temporary, empty. Throws Error naming it and the system's reason, and for a target that no file can
  /// take the place of: a folder, a device, no name.
  explicit StagedFile(std::filesystem::path target);
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  ~StagedFile();

  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// Where to write. Whoever writes through a descriptor of its own must close it before publish().
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Appends to the temporary. Throws Error.
  void write(std::string_view bytes);
  /// Flushes the temporary to disk and renames it. Throws Error; the target is then as before. Once only.
  void publish(IfExists if_exists = IfExists::replace);

 private:
  void refuse_if_published() const;

  std::filesystem::path target_, path_;
  int descriptor_ = -1;
};

/// StagedFile, written and published in one call: other processes see the old file or all of the new one. Throws Error.
MYLOS_EXPORT void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace mylos::inline MYLOS_ABI
