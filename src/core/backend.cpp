// SPDX-License-Identifier: MIT
#include <mylos/core/backend.hpp>

#include <array>

#include <fmt/format.h>

#include <mylos/base/contract.hpp>
#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>
#include <mylos/core/detail/engine.hpp>
#include <mylos/cuda/driver.hpp>

#include "base/setting.hpp"
#include "core/cuda_engine.hpp"
#include "core/emulator_engine.hpp"
#include "core/engine.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

constexpr std::array all_backends{Backend::host, Backend::cuda, Backend::emulated};
void require_usable(Backend backend, std::string_view asked_by) {
  const std::string reason = detail::unusable_reason(backend);
  if (reason.empty()) return;
  throw BackendError(fmt::format("{}: the backend '{}' cannot be used: {}", asked_by, to_string(backend), reason));
}

Backend backend_of_environment() {
  const auto name = environment::choice("MYLOS_BACKEND", {"host", "cuda", "emulated"});
  if (!name) return Backend::host;
  for (const Backend backend : all_backends) {
    if (*name == to_string(backend)) {
      require_usable(backend, fmt::format("environment variable MYLOS_BACKEND={}", *name));
      return backend;
    }
  }
  internal_error("a name that environment::choice accepted is no backend");
}

struct BackendDefinition {
  using Value = Backend;
  static Value initial() { return backend_of_environment(); }
};
using BackendSetting = detail::Setting<BackendDefinition>;

struct DeviceDefinition {
  using Value = int;
  static Value initial() {
    return static_cast<int>(environment::integer("MYLOS_DEVICE", 0, device_count() - 1).value_or(0));
  }
};
using DeviceSetting = detail::Setting<DeviceDefinition>;

}  // namespace

std::string_view to_string(Backend backend) noexcept {
  switch (backend) {
    case Backend::host: return "host";
    case Backend::cuda: return "cuda";
    case Backend::emulated: return "emulated";
  }
  return "unknown";
}

bool cuda_available() noexcept { return cuda::driver().usable() && detail::cuda_fault().empty(); }

Backend backend() { return BackendSetting::get(); }

void set_backend(Backend backend, Fallback fallback) {
  try {
    require_usable(backend, "mylos::set_backend");
  } catch (const BackendError& error) {
    if (fallback == Fallback::forbid) throw;
    log::warning(fmt::format("{}: working on the host instead, as Fallback::to_host allows", error.what()));
    backend = Backend::host;
  }
  BackendSetting::set(backend);
}

ScopedBackend::ScopedBackend(Backend backend) {
  require_usable(backend, "mylos::ScopedBackend");
  outer_ = BackendSetting::enter(backend);
}

ScopedBackend::~ScopedBackend() { BackendSetting::leave(outer_); }

int device_count() {
  const auto gpus = static_cast<int>(cuda::driver().devices.size());
  return cuda_available() && detail::engine_in_use() != Backend::emulated ? gpus : 1;
}

void set_device(int device) {
  if (detail::device_is_fixed()) {
    throw BackendError(
        fmt::format("mylos::set_device({}): the device is in use already: a process stays on one device, "
                    "so choose it before the first View in DeviceSpace and the first kernel",
                    device));
  }
  if (device < 0 || device >= device_count()) {
    throw ValueError(
        fmt::format("mylos::set_device({}): there is no such device: this process can use {}: choose 0 to {}", device,
                    device_count(), device_count() - 1));
  }
  DeviceSetting::set(device);
}

MemoryInfo memory_info() { return detail::engine().memory_info(); }
void release_memory() { detail::engine().release_memory(); }

std::size_t max_shared_memory_per_block() {
  // Known without a device: a question should not choose one.
  if (!detail::engine_in_use() && !cuda_available()) return detail::emulated_shared_memory_bytes;
  return detail::engine().max_shared_memory_per_block();
}

namespace detail {

bool device_is_fixed() {
  const bool kokkos_chose = runs_functors_v<DeviceSpace> && Kokkos::is_initialized();
  return kokkos_chose || engine_in_use().has_value();
}

int selected_device() { return DeviceSetting::get(); }

std::string unusable_reason(Backend backend) {
  if (backend == Backend::cuda && !cuda::driver().usable()) return cuda::driver().unusable_reason;
  if (backend == Backend::cuda && !cuda_fault().empty()) return "the device was lost: " + cuda_fault();
#ifdef KOKKOS_ENABLE_CUDA
  if (backend == Backend::emulated) {
    return "this build's Kokkos has CUDA, so DeviceSpace is Kokkos::CudaSpace: build Mylos with a Kokkos that has no "
           "CUDA to use the emulator";
  }
#endif
  const auto in_use = engine_in_use();
  if (backend != Backend::host && in_use && *in_use != backend) {
    return fmt::format(
        "this process already uses the {} device, and a process has one device for its whole life: choose the backend "
        "before the first View in DeviceSpace, with MYLOS_BACKEND or mylos::set_backend",
        to_string(*in_use));
  }
  return {};
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
