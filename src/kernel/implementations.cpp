// SPDX-License-Identifier: MIT
#include <mylos/kernel/implementations.hpp>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>

#include "base/setting.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

/// One side's implementations; a number is a position in the list of names.
class Names {
 public:
  Names(std::string_view side, std::vector<std::string> own)
      : side_(side), names_(std::move(own)), own_count_(names_.size()) {}

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

  /// `source` says where the name comes from. Nothing for the empty name.
  std::optional<int> find(std::string_view name, std::string_view source) {
    if (name.empty()) return std::nullopt;
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

 private:
  std::mutex mutex_;
  const std::string_view side_;
  std::vector<std::string> names_;
  const std::size_t own_count_;
};

Names& host_names() {
  static Names names("host", {"kokkos", "serial", "port_on_host"});
  return names;
}

Names& device_names() {
  static Names names("device", {"automatic", "cuda", "emulated", "kokkos"});
  return names;
}

// Asked for when a kernel is called, and not before: by then every kernel of the program has registered its names.
int named_in_environment(Names& names, const char* variable, int otherwise) {
  return names.find(environment::text(variable).value_or(""), variable).value_or(otherwise);
}

struct HostDefinition {
  using Value = int;
  static Value initial() {
    return named_in_environment(host_names(), "MYLOS_HOST_IMPLEMENTATION", detail::host_id::kokkos);
  }
};
using HostSetting = detail::Setting<HostDefinition>;

struct DeviceDefinition {
  using Value = int;
  static Value initial() {
    return named_in_environment(device_names(), "MYLOS_DEVICE_IMPLEMENTATION", detail::device_id::automatic);
  }
};
using DeviceSetting = detail::Setting<DeviceDefinition>;

}  // namespace

void set_host_implementation(std::string_view name) {
  HostSetting::set(host_names().find(name, "set_host_implementation"));
}

void set_device_implementation(std::string_view name) {
  DeviceSetting::set(device_names().find(name, "set_device_implementation"));
}

std::string host_implementation() { return host_names().name(HostSetting::get()); }

std::string device_implementation() { return device_names().name(DeviceSetting::get()); }

ScopedHostImplementation::ScopedHostImplementation(std::string_view name)
    : outer_(HostSetting::enter(host_names().find(name, "ScopedHostImplementation"))) {}

ScopedHostImplementation::~ScopedHostImplementation() { HostSetting::leave(outer_); }

ScopedDeviceImplementation::ScopedDeviceImplementation(std::string_view name)
    : outer_(DeviceSetting::enter(device_names().find(name, "ScopedDeviceImplementation"))) {}

ScopedDeviceImplementation::~ScopedDeviceImplementation() { DeviceSetting::leave(outer_); }

namespace detail {

int register_host_implementation(std::string_view name) { return host_names().add(name); }

std::string host_implementation_name(int id) { return host_names().name(id); }

int selected_host_implementation() { return HostSetting::get(); }

int selected_device_implementation() { return DeviceSetting::get(); }

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
