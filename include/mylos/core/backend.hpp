// SPDX-License-Identifier: MIT
// Where the process works: on the host, on a CUDA device, or on the emulated one.
//
// Order of precedence, as for every setting: scoped object, process-wide call, environment variable, default.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>

namespace mylos::inline MYLOS_ABI {

enum class Backend { host, cuda, emulated };
MYLOS_EXPORT std::string_view to_string(Backend backend) noexcept;

/// Whether CUDA can be used here. Asked once, then remembered; never throws. backend_info() says why not.
MYLOS_EXPORT bool cuda_available() noexcept;

/// Where this thread works: the innermost ScopedBackend, else what set_backend() said, else MYLOS_BACKEND, else host.
/// Throws ValueError for a MYLOS_BACKEND that is no backend, BackendError for one that cannot be used.
MYLOS_EXPORT Backend backend();

/// What to do about a backend that cannot be used.
enum class Fallback { forbid, to_host };

/// Sets it for the process. Unusable (no driver; a build without it; the device's engine is already the other one):
/// BackendError with the reason, and nothing has changed; with Fallback::to_host one warning, and host is set.
/// Arrays do not move: a View stays in its space.
MYLOS_EXPORT void set_backend(Backend backend, Fallback fallback = Fallback::forbid);

/// Sets it for this thread until the end of the scope, exceptions included. Nests; must end on its thread, innermost
/// first, as a local variable does. Throws as set_backend does.
class MYLOS_EXPORT ScopedBackend {
 public:
  explicit ScopedBackend(Backend backend);
  ~ScopedBackend();
  ScopedBackend(const ScopedBackend&) = delete;
  ScopedBackend& operator=(const ScopedBackend&) = delete;

 private:
  std::optional<Backend> outer_;
};

/// JSON for people and scripts: versions, Kokkos' configuration, devices, driver, NVRTC, the emulator's compiler, and
/// for each backend whether it is usable and why not. Never throws for what is found: an inspection that fails is told
/// in its place. Changes nothing.
MYLOS_EXPORT std::string backend_info();

/// The devices that DeviceSpace can be on: the GPUs where CUDA is usable, else 1, the emulated one.
MYLOS_EXPORT int device_count();
/// Which of them this process uses; MYLOS_DEVICE, else 0, when it is not called. Throws ValueError for a device that
/// is not there, BackendError after the first use of the device.
MYLOS_EXPORT void set_device(int device);

/// Of the device, in bytes. `used` is what Mylos has allocated for this process, `high_water` its maximum so far. Where
/// Kokkos has CUDA, Views are Kokkos' own and not in them.
struct MemoryInfo { std::size_t free = 0, total = 0, used = 0, high_water = 0; };
MYLOS_EXPORT MemoryInfo memory_info();
/// Gives device memory that is cached and not in use back to the system.
MYLOS_EXPORT void release_memory();
/// 48 KiB without a GPU.
MYLOS_EXPORT std::size_t max_shared_memory_per_block();

/// The one switch at a program's entry: calls f(HostSpace{}) when backend() is host and f(DeviceSpace{}) otherwise,
/// and returns what it returns. f is compiled for both spaces; where `runs_functors_v<Space>` is false it may hold no
/// Kokkos loop for that space.
///
///     int main() { return mylos::with_backend([]<class Space>(Space) { return run<Space>(); }); }
template <class F>
decltype(auto) with_backend(F&& f) {
  using OnHost = std::invoke_result_t<F&, HostSpace>;
  using OnDevice = std::invoke_result_t<F&, DeviceSpace>;
  static_assert(std::is_same_v<OnHost, OnDevice>,
                "mylos::with_backend: the callable must return the same type for HostSpace and for DeviceSpace: "
                "return numbers or nothing, and keep Views inside");
  if (backend() == Backend::host) return f(HostSpace{});
  return f(DeviceSpace{});
}

}  // namespace mylos::inline MYLOS_ABI
