// SPDX-License-Identifier: MIT
// Running other programs, compilers mostly, and the folder that they work in.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

struct ProcessResult {
  bool started = false;
  bool timed_out = false;
  int interrupted_by = 0;  // a signal that came to us meanwhile
  int exit_code = -1;      // 128 + signal when one ended it
  std::string output;      // both streams, in their order
};

/// Runs a program, found by PATH, without a shell, with messages in English; waits for it. Throws Error when the system
/// has no process or pipe to give; a program that does not exist is a result.
/// With a limit, the program has a process group of its own, which is ended, with all that it started, when the time is
/// over. The signals of a terminal do not reach it, so it is ended as well when this thread gets SIGINT, SIGTERM or
/// SIGHUP, which then is a result.
MYLOS_EXPORT ProcessResult run_process(const std::vector<std::string>& arguments,
                                       std::optional<std::chrono::milliseconds> limit = std::nullopt);

/// The file that run_process() would run for a word of a command; empty where there is none.
MYLOS_EXPORT std::string program_file(const std::string& word);

/// One end of a connection between two processes: whole messages, in both directions. Of a message too large for the
/// system's buffers, the sender waits for the receiver: the two take turns.
class MYLOS_EXPORT Channel {
 public:
  /// Takes over a socket.
  explicit Channel(int descriptor) noexcept : descriptor_(descriptor) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  /// Whether it was sent; if not, the other end is gone. Raises no signal.
  [[nodiscard]] bool send(std::string_view message) noexcept;
  /// Waits for the next message; nothing when the other end is gone before it is whole.
  [[nodiscard]] std::optional<std::string> receive();
  /// Nobody sends any more, whoever else has this socket.
  void shut_down() noexcept;

 private:
  int descriptor_;
};

/// A program that runs beside this one, with our environment, and has a Channel to us as its standard input. What it
/// prints comes on our standard error.
class MYLOS_EXPORT ChildProcess {
 public:
  /// Throws Error when it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& arguments);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  [[nodiscard]] Channel& channel() noexcept { return channel_; }
  [[nodiscard]] pid_t id() const noexcept { return id_; }
  /// Shuts the channel down, at which the program should end, and waits for that. The exit code, as of ProcessResult;
  /// nothing when the system does not tell.
  std::optional<int> end() noexcept;

 private:
  ChildProcess(const std::vector<std::string>& arguments, std::array<int, 2> sockets);

  Channel channel_;
  pid_t id_ = 0;  // 0: it has ended
};

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

}  // namespace mylos::inline MYLOS_ABI::detail
