// SPDX-License-Identifier: MIT
#include <mylos/base/files.hpp>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <stdio.h>

#include <mylos/base/error.hpp>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

[[noreturn]] void fail_to_read(const std::filesystem::path& path, std::string_view why) {
  throw Error(fmt::format("cannot read file '{}': {}: check the path and its permissions", path.string(), why));
}

[[noreturn]] void fail_to_write(std::string_view action, const std::filesystem::path& path, int code) {
  throw Error(fmt::format("cannot {} file '{}': {}: check that its folder exists, has space and may be written", action,
                          path.string(), detail::system_reason(code)));
}

// Host, process, a random number and a counter: ranks of several nodes may share the folder. Long names are cut,
// so that a target whose name the file system accepts never has a temporary that it refuses.
std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  constexpr std::size_t kept = 100;
  static std::atomic<unsigned> counter = 0;
  static const unsigned salt = std::random_device{}();
  std::array<char, 65> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return target.parent_path() / fmt::format(".{}.{}.{}.{:08x}{}.tmp", target.filename().string().substr(0, kept),
                                            host.data(), ::getpid(), salt, counter++);
}

// What cannot be renamed to, or must not be (a device, a pipe), is refused before anything is written.
void require_file_target(const std::filesystem::path& target) {
  struct stat status = {};
  if (target.empty()) throw Error("cannot create file '': the path is empty: give the name of a file");
  if (::stat(target.c_str(), &status) != 0) {
    if (errno != ENOENT) fail_to_write("create", target, errno);
  } else if (S_ISDIR(status.st_mode)) {
    throw Error(fmt::format("cannot create file '{}': it is a folder: give the name of a file", target.string()));
  } else if (!S_ISREG(status.st_mode)) {
    throw Error(fmt::format("cannot create file '{}': it is there and is not a regular file: choose another name",
                            target.string()));
  }
}

// Renames in one step; 0, or -1 and errno. File systems that cannot refuse in the same step are asked before.
int move_to(const std::filesystem::path& from, const std::filesystem::path& to, IfExists if_exists) {
  if (if_exists == IfExists::replace) return ::rename(from.c_str(), to.c_str());
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (::access(to.c_str(), F_OK) != 0) return ::rename(from.c_str(), to.c_str());
  errno = EEXIST;
  return -1;
}

// An open descriptor for reading.
class Input {
 public:
  explicit Input(const std::filesystem::path& path) : path_(path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_to_read(path_, detail::system_reason(errno));
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() { ::close(descriptor_); }

  [[nodiscard]] std::size_t size() const {
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0) fail_to_read(path_, detail::system_reason(errno));
    if (S_ISDIR(status.st_mode)) fail_to_read(path_, detail::system_reason(EISDIR));
    if (!S_ISREG(status.st_mode)) fail_to_read(path_, "it is not a regular file");
    return static_cast<std::size_t>(status.st_size);
  }

  // Reads up to `size` bytes; fewer only at the end of the file.
  std::size_t read(char* into, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t count = ::read(descriptor_, into + done, size - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail_to_read(path_, detail::system_reason(errno));
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

 private:
  const std::filesystem::path& path_;
  int descriptor_ = -1;
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const Input input(path);
  std::string bytes;
  // One byte more than the size, so that the usual case sees the end at once; files of /proc say that their size is 0.
  std::size_t room = input.size() + 1;
  while (true) {
    const std::size_t done = bytes.size();
    bytes.resize(done + room);
    const std::size_t count = input.read(bytes.data() + done, room);
    bytes.resize(done + count);
    if (count < room) return bytes;
    room = 1 << 16;
  }
}

StagedFile::StagedFile(std::filesystem::path target) : target_(std::move(target)), path_(temporary_beside(target_)) {
  require_file_target(target_);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_to_write("create", path_, errno);
}

StagedFile::~StagedFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }
}

void StagedFile::refuse_if_published() const {
  if (descriptor_ >= 0) return;
  throw Error(
      fmt::format("file '{}' is published already: it can be neither written nor published again: make a new "
                  "StagedFile",
                  target_.string()));
}

void StagedFile::write(std::string_view bytes) {
  refuse_if_published();
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write("write", path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void StagedFile::publish(IfExists if_exists) {
  refuse_if_published();
  if (::fsync(descriptor_) != 0) fail_to_write("flush", path_, errno);
  if (move_to(path_, target_, if_exists) != 0) fail_to_write("rename to", target_, errno);
  ::close(std::exchange(descriptor_, -1));  // nothing is left to report: fsync has told
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  StagedFile file(path);
  file.write(bytes);
  file.publish();
}

}  // namespace mylos::inline MYLOS_ABI
