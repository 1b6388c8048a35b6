// SPDX-License-Identifier: MIT
// A shared library that may be absent: found and loaded at run time, closed at the end of its object.
#pragma once

#include <span>
#include <string>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::cuda {

class MYLOS_EXPORT Library {
 public:
  /// The first of `candidates` (names that the loader resolves, or paths) that loads.
  /// Throws BackendError that says for each of them why not.
  explicit Library(std::span<const std::string> candidates);
  ~Library();
  Library(Library&& other) noexcept;
  Library& operator=(Library&& other) noexcept;

  /// The file that was loaded, as the loader resolved it.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Function `name` of type F. Throws BackendError when the library lacks it (it is too old).
  template <class F>
  [[nodiscard]] F* function(const char* name) const {
    return reinterpret_cast<F*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string path_;
};

}  // namespace mylos::inline MYLOS_ABI::cuda
