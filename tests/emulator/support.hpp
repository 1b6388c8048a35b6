// SPDX-License-Identifier: MIT
// What the emulator's tests share: device arrays, launches with typed arguments, errors as values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/memory.hpp>
#include <mylos/emulator/options.hpp>

#include "support/scoped_variable.hpp"

namespace mylos_test {

/// Why Options::time_limit ends no kernel in this build; null where it does.
#ifdef __SANITIZE_THREAD__
constexpr const char* no_time_limits = "the sanitizer keeps signals back while a kernel runs";
#else
constexpr const char* no_time_limits = nullptr;
#endif

namespace emulator = mylos::emulator;

/// An array on the emulated device, read and written as a whole.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size, T value = T(), const char* label = "array") : size_(size) {
    data_ = static_cast<T*>(emulator::allocate(size * sizeof(T), label));
    write(std::vector<T>(size, value));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { write(values); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { emulator::deallocate(data_); }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::vector<T> read() const {
    const emulator::HostAccess access;
    return std::vector<T>(data_, data_ + size_);
  }
  void write(const std::vector<T>& values) {
    const emulator::HostAccess access;
    emulator::note_write(data_, size_ * sizeof(T));
    std::copy(values.begin(), values.end(), data_);
  }

 private:
  std::size_t size_;
  T* data_;
};

/// Launches with arguments of exactly the kernel's parameter types.
template <class... A>
void run(const emulator::Program& program, const emulator::LaunchShape& shape, A... arguments) {
  void* const addresses[] = {const_cast<void*>(static_cast<const void*>(&arguments))..., nullptr};
  emulator::launch(program, shape, addresses);
}

inline std::shared_ptr<const emulator::Program> compiled(const std::string& name, const std::string& text) {
  return emulator::compile({.text = text, .name = name});
}

/// All checks for this scope, or those that hold anyway.
inline emulator::ScopedOptions checks_if(bool checked) {
  return emulator::with({.checks = checked ? emulator::all_checks() : std::set<emulator::Check>()});
}

/// Runs with each way of changing from one thread's stack to another's: instantiated by switch_kinds().
class WithSwitch : public ::testing::TestWithParam<const char*> {
 private:
  ScopedVariable variable_{"MYLOS_EMULATOR_SWITCH", GetParam()};
};
inline auto switch_kinds() { return ::testing::Values("in_place", "portable"); }

/// The error that `action` throws; fails the test when it throws none.
template <class E, class F>
std::optional<E> error_of(F&& action) {
  try {
    std::forward<F>(action)();
  } catch (const E& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return std::nullopt;
}

/// What is found in the launches of `action`; nothing where they end well.
template <class Action>
std::vector<emulator::Finding> findings_of(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const mylos::EmulationError& error) {
    return error.findings();
  }
  return {};
}

template <class T>
std::vector<T> random_values(std::size_t size, T low, T high, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(size);
  for (T& value : values) {
    if constexpr (std::is_integral_v<T>) {
      value = std::uniform_int_distribution<T>(low, high)(random);
    } else {
      value = std::uniform_real_distribution<T>(low, high)(random);
    }
  }
  return values;
}

}  // namespace mylos_test
