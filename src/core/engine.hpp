// SPDX-License-Identifier: MIT
// What the choice of an engine shares with the choice of a backend.
#pragma once

#include <string>
#include <string_view>

#include <mylos/core/backend.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Why this backend cannot be used in this build, on this machine, in this process as it is now; empty: it can.
std::string unusable_reason(Backend backend);

/// Whether it is too late to choose another device.
bool device_is_fixed();

/// The device that an engine is made for: set_device's, else MYLOS_DEVICE's, else 0. Throws ValueError for one that is
/// not there.
int selected_device();

/// Whether Kokkos has been started and not yet ended.
bool kokkos_is_running() noexcept;

/// Where it is not: throws BackendError "WHAT before Kokkos::initialize: WHY: ...".
[[noreturn]] void throw_kokkos_not_running(std::string_view what, std::string_view why);

}  // namespace mylos::inline MYLOS_ABI::detail
