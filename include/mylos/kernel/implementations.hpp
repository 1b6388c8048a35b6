// SPDX-License-Identifier: MIT
// Which implementation of a kernel runs: by call, by scope, by the environment.
//
// On the host: "kokkos" (the functor through Kokkos::parallel_for on the default host execution space), "serial" (a
// plain loop), "port_on_host" (the port's CUDA text on host Views, by the emulator), and the names that
// implementations(f, named("simd", g)) adds. On the device: "cuda" and "emulated" (the port), "kokkos" (the functor,
// where Kokkos can run functors on DeviceSpace). The default, the empty name, is "kokkos" on the host, and on the
// device the port, or the functor where there is none.
//
// A scoped object of this thread wins over the process-wide setting, which wins over MYLOS_HOST_IMPLEMENTATION and
// MYLOS_DEVICE_IMPLEMENTATION. A name that no kernel has throws ValueError; a kernel that lacks the chosen one throws
// LookupError when it is called: never another one silently.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Process-wide choice; the empty name restores the environment's or the default. Throws ValueError.
MYLOS_EXPORT void set_host_implementation(std::string_view name);
MYLOS_EXPORT void set_device_implementation(std::string_view name);

/// The name in force in this thread. Throws ValueError for a bad environment variable.
[[nodiscard]] MYLOS_EXPORT std::string host_implementation();
[[nodiscard]] MYLOS_EXPORT std::string device_implementation();

/// The choice of this thread while the object lives; nests.
class MYLOS_EXPORT ScopedHostImplementation {
 public:
  explicit ScopedHostImplementation(std::string_view name);
  ~ScopedHostImplementation();
  ScopedHostImplementation(const ScopedHostImplementation&) = delete;
  ScopedHostImplementation& operator=(const ScopedHostImplementation&) = delete;

 private:
  std::optional<int> outer_;
};

class MYLOS_EXPORT ScopedDeviceImplementation {
 public:
  explicit ScopedDeviceImplementation(std::string_view name);
  ~ScopedDeviceImplementation();
  ScopedDeviceImplementation(const ScopedDeviceImplementation&) = delete;
  ScopedDeviceImplementation& operator=(const ScopedDeviceImplementation&) = delete;

 private:
  std::optional<int> outer_;
};

namespace detail {

// Names are numbers inside, so that a call compares integers.
namespace host_id {
inline constexpr int kokkos = 0, serial = 1, port_on_host = 2;
}
namespace device_id {
inline constexpr int automatic = 0, cuda = 1, emulated = 2, kokkos = 3;
}

/// The number of a further host implementation; the same for the same name. Throws ValueError for a name of our own.
[[nodiscard]] MYLOS_EXPORT int register_host_implementation(std::string_view name);
[[nodiscard]] MYLOS_EXPORT std::string host_implementation_name(int id);
[[nodiscard]] MYLOS_EXPORT int selected_host_implementation();
[[nodiscard]] MYLOS_EXPORT int selected_device_implementation();

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
