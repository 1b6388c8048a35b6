// SPDX-License-Identifier: MIT
// What every call of HDF5 needs: its turn, quiet errors, checked results, handles that close themselves.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <hdf5.h>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

/// Exists while a public function calls HDF5. Calls take turns, because HDF5 is seldom built thread-safe; HDF5 prints
/// nothing meanwhile, and prints as the program wants afterwards. The first one checks the library's version.
class Call {
 public:
  Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();

 private:
  std::unique_lock<std::recursive_mutex> turn_;
  H5E_auto2_t report_ = nullptr;
  void* report_data_ = nullptr;
};

/// What HDF5 says of the call that failed last, the outermost reason and in brackets the innermost one; empties its
/// error stack.
std::string take_error_stack();

/// Throws Hdf5Error "cannot ACTION: what HDF5 says: HINT" and empties HDF5's error stack.
[[noreturn]] void fail(std::string_view action, std::string_view hint);

/// `result`, unless it is negative: HDF5's way of saying that a call failed.
template <class Result>
Result checked(Result result, std::string_view action, std::string_view hint) {
  if (result < 0) fail(action, hint);
  return result;
}

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  [[nodiscard]] hid_t id() const { return id_; }
  /// Gives up the identifier without closing it.
  hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// An object of a file, with its name for messages.
struct Location {
  hid_t file;
  const std::filesystem::path& path;
  std::string name;

  [[nodiscard]] std::string text() const { return "'" + name + "' of file '" + path.string() + "'"; }
};

/// Whether every part of the path exists.
bool link_exists(const Location& location);
/// Throws Hdf5Error when a part of the path before the last one is there and is no group: nothing can be below it.
void require_groups_above(const Location& location);

}  // namespace mylos::inline MYLOS_ABI::hdf5
