// SPDX-License-Identifier: MIT
#include <mylos/cuda/driver.hpp>

#include <exception>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>

#include "cuda/driver_calls.hpp"

namespace mylos::inline MYLOS_ABI::cuda {
namespace {

constexpr int oldest_version = 12000;
constexpr const char* usual_library = "libcuda.so.1";

struct Probed {
  DriverInfo info;
  std::unique_ptr<const Driver> driver;  // null when it cannot be loaded
};

DeviceInfo device_info(const Driver& driver, int ordinal) {
  const DeviceHandle device = driver.device(ordinal);
  return {.name = driver.name(device),
          .compute_capability = driver.compute_capability(device),
          .total_memory = driver.total_memory(device)};
}

void ask(const Driver& driver, DriverInfo& info) {
  info.version = driver.version();
  if (info.version < oldest_version) {
    throw BackendError(fmt::format("the driver {} serves CUDA {}, Mylos needs {} or newer: update the NVIDIA driver",
                                   info.path, version_text(info.version), version_text(oldest_version)));
  }
  driver.init();
  const int count = driver.device_count();
  for (int ordinal = 0; ordinal < count; ++ordinal) info.devices.push_back(device_info(driver, ordinal));
  if (info.devices.empty()) {
    throw BackendError(fmt::format("the driver {} sees no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES", info.path));
  }
}

std::string why_not_loaded(const std::string& path, const char* reason) {
  return fmt::format("the CUDA driver cannot be loaded: {}: {}, or use the host or the emulated backend", reason,
                     path == usual_library ? "install the NVIDIA driver" : "correct or unset MYLOS_CUDA_DRIVER");
}

Probed probe(const std::string& path) noexcept {
  Probed probed;
  try {
    probed.driver = std::make_unique<const Driver>(path);
    probed.info.path = probed.driver->path();
    ask(*probed.driver, probed.info);
  } catch (const std::exception& error) {
    probed.info.devices.clear();
    probed.info.unusable_reason = probed.driver == nullptr ? why_not_loaded(path, error.what()) : error.what();
  }
  return probed;
}

// Never unloaded: static objects of the program may still end kernels and streams.
const Probed& of_process() noexcept {
  static const Probed* const probed = new Probed(probe(environment::text("MYLOS_CUDA_DRIVER").value_or(usual_library)));
  return *probed;
}

}  // namespace

DriverInfo probe_driver(const std::string& path) noexcept { return probe(path).info; }

const DriverInfo& driver() noexcept { return of_process().info; }

const Driver& Driver::instance() {
  if (!driver().usable()) throw BackendError(driver().unusable_reason);
  return *of_process().driver;
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace mylos::inline MYLOS_ABI::cuda
