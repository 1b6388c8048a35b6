// SPDX-License-Identifier: MIT
#include <mylos/kernel/implementations.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI {
namespace {

constexpr int unset = -1;

/// One side's names and its choice: numbers are positions in the list of names.
class Selection {
 public:
  Selection(std::string side, const char* variable, std::vector<std::string> names)
      : side_(std::move(side)), variable_(variable), names_(std::move(names)), own_count_(names_.size()) {}

  int add(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find(names_, name);
    const auto position = static_cast<std::size_t>(known - names_.begin());
    if (name.empty() || position < own_count_) {
      throw ValueError(
          fmt::format("named(\"{}\", ...): {}: choose another name", name,
                      name.empty() ? "the name is empty" : "Mylos itself has an implementation of that name"));
    }
    if (known == names_.end()) names_.emplace_back(name);
    return static_cast<int>(position);
  }

  std::string name(int id) {
    const std::scoped_lock lock(mutex_);
    return names_.at(static_cast<std::size_t>(id));
  }

  /// `source` says where the name comes from.
  int find(std::string_view name, std::string_view source) {
    if (name.empty()) return unset;
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find(names_, name);
    if (known == names_.end()) {
      throw ValueError(
          fmt::format("{}: '{}' is no {} implementation: no kernel of this program has one of that name: "
                      "choose one of {}",
                      source, name, side_, fmt::join(names_, ", ")));
    }
    return static_cast<int>(known - names_.begin());
  }

  int selected(int scoped) {
    if (scoped != unset) return scoped;
    const int process_wide = process_wide_.load(std::memory_order_relaxed);
    if (process_wide != unset) return process_wide;
    return from_environment();
  }

  void set(int id) { process_wide_.store(id, std::memory_order_relaxed); }

 private:
  // Read at the first call and not before: by then every kernel of the program has registered its names.
  int from_environment() {
    int id = environment_.load(std::memory_order_relaxed);
    if (id == unset) {
      id = std::max(0, find(environment::text(variable_).value_or(""), variable_));
      environment_.store(id, std::memory_order_relaxed);
    }
    return id;
  }

  std::mutex mutex_;
  const std::string side_;
  const char* const variable_;
  std::vector<std::string> names_;
  const std::size_t own_count_;
  std::atomic<int> process_wide_{unset}, environment_{unset};
};

Selection& host() {
  static Selection selection("host", "MYLOS_HOST_IMPLEMENTATION", {"kokkos", "serial", "port_on_host"});
  return selection;
}

Selection& device() {
  static Selection selection("device", "MYLOS_DEVICE_IMPLEMENTATION", {"automatic", "cuda", "emulated", "kokkos"});
  return selection;
}

thread_local int scoped_host = unset;
thread_local int scoped_device = unset;

}  // namespace

void set_host_implementation(std::string_view name) { host().set(host().find(name, "set_host_implementation")); }

void set_device_implementation(std::string_view name) {
  device().set(device().find(name, "set_device_implementation"));
}

std::string host_implementation() { return host().name(host().selected(scoped_host)); }

std::string device_implementation() { return device().name(device().selected(scoped_device)); }

ScopedHostImplementation::ScopedHostImplementation(std::string_view name) : before_(scoped_host) {
  scoped_host = host().find(name, "ScopedHostImplementation");
}

ScopedHostImplementation::~ScopedHostImplementation() { scoped_host = before_; }

ScopedDeviceImplementation::ScopedDeviceImplementation(std::string_view name) : before_(scoped_device) {
  scoped_device = device().find(name, "ScopedDeviceImplementation");
}

ScopedDeviceImplementation::~ScopedDeviceImplementation() { scoped_device = before_; }

namespace detail {

int register_host_implementation(std::string_view name) { return host().add(name); }

std::string host_implementation_name(int id) { return host().name(id); }

int selected_host_implementation() { return host().selected(scoped_host); }

int selected_device_implementation() { return device().selected(scoped_device); }

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
