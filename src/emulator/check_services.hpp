// SPDX-License-Identifier: MIT
// What checked kernels call in the library.
#pragma once

#include <mylos/base/abi.hpp>

#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

const mylos_checks& check_services() noexcept;

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
