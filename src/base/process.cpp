// SPDX-License-Identifier: MIT
#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

[[noreturn]] void fail(std::string_view what, int code) {
  throw Error(fmt::format("cannot {} to run another program: {}: close files or end processes, then try again", what,
                          system_reason(code)));
}

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;  // nothing: never

// While one exists, the signals by which a user ends programs wait for this thread to look; those that it ignores stay
// ignored.
class Interruptions {
 public:
  Interruptions() {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction now{};
      ::sigaction(number, nullptr, &now);
      if (now.sa_handler != SIG_IGN) ::sigaddset(&signals, number);
    }
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
    descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  ~Interruptions() {
    ::close(descriptor_);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  // To wait for them.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  // The signals that were blocked before, as they are in a program that is started.
  [[nodiscard]] const sigset_t& before() const noexcept { return before_; }
  // The first that came, from now on; 0 for none.
  int signal() noexcept {
    signalfd_siginfo came{};
    if (signal_ == 0 && ::read(descriptor_, &came, sizeof came) > 0) signal_ = static_cast<int>(came.ssi_signo);
    return signal_;
  }

 private:
  sigset_t before_{};
  int descriptor_ = -1;
  int signal_ = 0;
};

// How long a program may run, and what ends it before.
class Limit {
 public:
  explicit Limit(Deadline deadline) : deadline_(deadline) {
    if (deadline_) interruptions_.emplace();
  }
  // The signals that a program is started with, where they are not ours.
  [[nodiscard]] const sigset_t* signals() const noexcept {
    return interruptions_ ? &interruptions_->before() : nullptr;
  }
  [[nodiscard]] int interrupted_by() noexcept { return interruptions_ ? interruptions_->signal() : 0; }
  [[nodiscard]] bool is_over() noexcept { return interrupted_by() != 0 || (deadline_ && Clock::now() >= *deadline_); }
  // Waits until it can be read, at most until the limit; may be woken up before.
  [[nodiscard]] bool is_readable(int descriptor) const {
    if (!deadline_ || !interruptions_) return true;
    constexpr std::chrono::milliseconds::rep most = 1'000'000;  // of an int
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now()).count();
    std::array<pollfd, 2> waited{pollfd{.fd = descriptor, .events = POLLIN, .revents = 0},
                                 pollfd{.fd = interruptions_->descriptor(), .events = POLLIN, .revents = 0}};
    ::poll(waited.data(), waited.size(), static_cast<int>(std::clamp(left, std::chrono::milliseconds::rep{0}, most)));
    return waited[0].revents != 0;
  }

 private:
  Deadline deadline_;
  std::optional<Interruptions> interruptions_;
};

// Both ends close themselves; neither is inherited by other processes that start meanwhile.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("make a pipe", errno);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(ends[0]);
    close_writer();
  }
  void close_writer() {
    if (ends[1] >= 0) ::close(std::exchange(ends[1], -1));
  }
  // Until nobody writes any more, or the limit.
  std::string read_until(Limit& limit) {
    std::string text;
    while (!limit.is_over()) {
      if (limit.is_readable(ends[0]) && !read_some(text)) break;
    }
    return text;
  }
  // What has been written by now, though somebody may still write.
  std::string read_rest() {
    std::string text;
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    while (read_some(text)) continue;
    return text;
  }

 private:
  // Whether there may be more.
  bool read_some(std::string& text) {
    std::array<char, 4096> piece;
    const ssize_t size = ::read(ends[0], piece.data(), piece.size());
    if (size > 0) text.append(piece.data(), static_cast<std::size_t>(size));
    return size > 0 || (size < 0 && errno == EINTR);
  }
};

struct FileActions {
  posix_spawn_file_actions_t actions;
  FileActions() { ::posix_spawn_file_actions_init(&actions); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions); }
};

// How a program is started: with these signals blocked and in a group of its own, whose number is the program's, or as
// this one.
struct Attributes {
  posix_spawnattr_t attributes;
  explicit Attributes(const sigset_t* own_signals) {
    ::posix_spawnattr_init(&attributes);
    if (own_signals == nullptr) return;
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setsigmask(&attributes, own_signals);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes); }
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// The messages are parsed, so they must not be translated.
std::vector<std::string> english_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("LC_ALL=")) variables.emplace_back(*variable);
  }
  variables.emplace_back("LC_ALL=C");
  return variables;
}

// The error number, 0 when the program runs.
int spawn(pid_t& process, std::vector<std::string> arguments, const FileActions& files, char* const* variables,
          const sigset_t* own_signals = nullptr) {
  const Attributes attributes(own_signals);
  return ::posix_spawnp(&process, arguments.at(0).c_str(), &files.actions, &attributes.attributes,
                        pointers(arguments).data(), variables);
}

// Nothing, and errno, when the system does not tell.
std::optional<int> wait_for(pid_t process) noexcept {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Whether the process ends within the limit; it is still to be waited for.
bool ends_within(Limit& limit, pid_t process) {
  if (limit.signals() == nullptr) return true;
  while (!limit.is_over()) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // it has closed its streams: it is about to end
  }
  return false;
}

// Both ends, which no other process inherits.
std::array<int, 2> connected_sockets() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("make a socket", errno);
  return ends;
}

bool send_all(int socket, const char* bytes, std::size_t size) noexcept {
  while (size > 0) {
    const ssize_t sent = ::send(socket, bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, char* bytes, std::size_t size) noexcept {
  while (size > 0) {
    const ssize_t received = ::recv(socket, bytes, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    bytes += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, std::optional<std::chrono::milliseconds> limit) {
  Limit time(limit ? Deadline(Clock::now() + *limit) : std::nullopt);
  Pipe pipe;
  FileActions files;
  ::posix_spawn_file_actions_addopen(&files.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files.actions, pipe.ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files.actions, pipe.ends[1], STDERR_FILENO);
  std::vector<std::string> variables = english_environment();
  pid_t process = 0;
  const int code = spawn(process, arguments, files, pointers(variables).data(), time.signals());
  if (code == ENOENT || code == EACCES) return {};
  if (code != 0) fail("start a process", code);
  pipe.close_writer();
  ProcessResult result;
  result.started = true;
  result.output = pipe.read_until(time);
  if (!ends_within(time, process)) {
    result.interrupted_by = time.interrupted_by();
    result.timed_out = result.interrupted_by == 0;
    ::kill(-process, SIGKILL);
  }
  const std::optional<int> exit_code = wait_for(process);
  if (!exit_code) fail("wait for the process", errno);
  result.exit_code = *exit_code;
  if (result.timed_out || result.interrupted_by != 0) result.output += pipe.read_rest();
  return result;
}

Channel::~Channel() { ::close(descriptor_); }

// What they change is the connection.
// NOLINTBEGIN(readability-make-member-function-const)
bool Channel::send(std::string_view message) noexcept {
  std::array<char, sizeof(std::uint64_t)> size;
  const std::uint64_t number = message.size();
  std::memcpy(size.data(), &number, sizeof number);
  return send_all(descriptor_, size.data(), size.size()) && send_all(descriptor_, message.data(), message.size());
}

std::optional<std::string> Channel::receive() {
  std::uint64_t size = 0;
  if (!receive_all(descriptor_, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  std::string message(size, '\0');
  if (!receive_all(descriptor_, message.data(), message.size())) return std::nullopt;
  return message;
}

void Channel::shut_down() noexcept { ::shutdown(descriptor_, SHUT_RDWR); }
// NOLINTEND(readability-make-member-function-const)

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) : ChildProcess(arguments, connected_sockets()) {}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, std::array<int, 2> sockets)
    : channel_(sockets[0]) {
  const Channel theirs(sockets[1]);
  FileActions files;
  ::posix_spawn_file_actions_adddup2(&files.actions, sockets[1], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files.actions, STDERR_FILENO, STDOUT_FILENO);
  const int code = spawn(id_, arguments, files, environ);
  if (code == 0) return;
  throw Error(fmt::format("cannot start {}: {}: check that it may be run", arguments[0], system_reason(code)));
}

ChildProcess::~ChildProcess() { end(); }

std::optional<int> ChildProcess::end() noexcept {
  channel_.shut_down();
  return id_ == 0 ? std::nullopt : wait_for(std::exchange(id_, 0));
}

std::string program_file(const std::string& word) {
  if (word.find('/') != std::string::npos) return ::access(word.c_str(), X_OK) == 0 ? word : "";
  const std::string path = environment::text("PATH").value_or("/bin:/usr/bin");
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (std::filesystem::path(folder.empty() ? "." : folder) / word).string();
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

TemporaryFolder::TemporaryFolder() {
  std::error_code code;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
  std::string name = ((code ? std::filesystem::path("/tmp") : parent) / "mylos-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(fmt::format("cannot make a temporary folder {}: {}: set TMPDIR to a folder that may be written", name,
                            system_reason(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code code;
  std::filesystem::remove_all(path_, code);
  if (code) log::warning(fmt::format("cannot remove the temporary folder {}: {}", path_.string(), code.message()));
}

std::filesystem::path TemporaryFolder::write(const std::filesystem::path& name, std::string_view text) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.flush()) {
    throw Error(fmt::format("cannot write {}: the disk may be full: set TMPDIR to a folder with space", file.string()));
  }
  return file;
}

}  // namespace mylos::inline MYLOS_ABI::detail
