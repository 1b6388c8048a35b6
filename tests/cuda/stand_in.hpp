// SPDX-License-Identifier: MIT
// The stand-in driver as tests see it: what it was asked for, what it shall fail, what its kernels do.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/stand_in/control.hpp"

namespace mylos_test {

class StandIn {
 public:
  /// The library that MYLOS_CUDA_DRIVER names.
  StandIn() : library_(::dlopen(path(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(::dlerror());
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  ~StandIn() { ::dlclose(library_); }

  /// Null where none is named.
  static const char* path() { return std::getenv("MYLOS_CUDA_DRIVER"); }

  template <class F>
  [[nodiscard]] F* function(const char* name) const {
    void* const found = ::dlsym(library_, name);
    if (found == nullptr) throw std::runtime_error(::dlerror());
    return reinterpret_cast<F*>(found);
  }

  void fail(const char* call, int code, int nth = 1) const {
    function<stand_in::Fail>("stand_in_fail")(call, nth, code);
  }
  void set_body(const char* symbol, stand_in::Body body, void* user = nullptr,
                stand_in::FindVariable find = nullptr) const {
    function<stand_in::SetBody>("stand_in_body")(symbol, body, find, user);
  }
  [[nodiscard]] std::string violations() const { return function<stand_in::Violations>("stand_in_violations")(); }
  /// Of calls and of violations.
  void forget() const { function<stand_in::Forget>("stand_in_forget")(); }

  [[nodiscard]] std::vector<std::string> calls() const {
    std::istringstream text(function<stand_in::Calls>("stand_in_calls")());
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  /// How many calls begin with this: "cuMemcpyHtoDAsync_v2", "cuLaunchKernel push".
  [[nodiscard]] auto count(const std::string& beginning) const {
    const auto all = calls();
    return std::ranges::count_if(all, [&](const std::string& call) { return call.starts_with(beginning); });
  }

 private:
  void* library_;
};

}  // namespace mylos_test
