// SPDX-License-Identifier: MIT
// Running other programs, compilers mostly, and the folder that they work in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

struct ProcessResult {
  bool started = false;
  int exit_code = -1;  // 128 + signal when one ended it
  std::string output;  // both streams, in their order
};

/// Runs a program, found by PATH, without a shell, with messages in English; waits for it. Throws Error when the system
/// has no process or pipe to give; a program that does not exist is a result.
MYLOS_EXPORT ProcessResult run_process(const std::vector<std::string>& arguments);

/// The file that run_process() would run for a word of a command; empty where there is none.
std::string program_file(const std::string& word);

/// A folder of its own under the system's temporary one; removed with all it holds. Throws Error.
class MYLOS_EXPORT TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Writes a file in it, and the folders on the way. Throws Error.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
