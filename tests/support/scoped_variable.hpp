// SPDX-License-Identifier: MIT
// An environment variable that has a value, or none, for one scope.
#pragma once

#include <stdlib.h>

#include <optional>
#include <string>
#include <utility>

namespace mylos_test {

class ScopedVariable {
 public:
  /// nullptr: unset.
  ScopedVariable(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* old = ::getenv(name_.c_str())) old_ = old;
    set(value);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) const {
    if (value != nullptr) {
      ::setenv(name_.c_str(), value, 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }

  std::string name_;
  std::optional<std::string> old_;
};

}  // namespace mylos_test
