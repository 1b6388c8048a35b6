// SPDX-License-Identifier: MIT
#include <mylos/base/files.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI {
namespace {

[[noreturn]] void fail(std::string_view action, const std::filesystem::path& path, int code) {
  throw Error(fmt::format("cannot {} {}: {}: check that the folder exists, has space and may be written", action,
                          path.string(), std::generic_category().message(code)));
}

// Host, process, a random number and a counter: ranks of several nodes may share the folder.
std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter = 0;
  static const unsigned salt = std::random_device{}();
  std::array<char, 65> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return path.parent_path() /
         fmt::format(".{}.{}.{}.{:08x}.{}.tmp", path.filename().string(), host.data(), ::getpid(), salt, counter++);
}

// Owns the temporary file until it is renamed.
class Temporary {
 public:
  explicit Temporary(std::filesystem::path path) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor_ < 0) fail("create", path_, errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(path_.c_str());
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write", path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void rename_to(const std::filesystem::path& target) {
    if (::fsync(descriptor_) != 0) fail("flush", path_, errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail("close", path_, errno);
    if (::rename(path_.c_str(), target.c_str()) != 0) fail("rename to", target, errno);
    renamed_ = true;
  }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::error_code code;
  if (!stream || !std::filesystem::is_regular_file(path, code)) {
    const int reason = stream ? EISDIR : errno;
    throw Error(
        fmt::format("cannot read {}: {}: check the path", path.string(), std::generic_category().message(reason)));
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  Temporary file(temporary_beside(path));
  file.write(bytes);
  file.rename_to(path);
}

}  // namespace mylos::inline MYLOS_ABI
