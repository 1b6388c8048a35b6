// SPDX-License-Identifier: MIT
// MYLOS_EMULATOR_STRICT=1: a host access to closed device memory is told with the allocation's label before it traps.
#pragma once

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Installs the SIGSEGV handler at the first call, if the variable asks for it. The handler before it is called after.
/// Throws ValueError for a bad value of the variable.
void watch_host_accesses_if_asked();

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
