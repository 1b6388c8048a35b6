// SPDX-License-Identifier: MIT
// The check that CudaOptions::check_finite asks for.
#pragma once

#include <mylos/base/abi.hpp>

#include "kernel/argument_plan.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// Throws ValueError that names the first number that is NaN or infinite, as CudaOptions tells. Waits for the device;
/// what the host does not reach is copied to it, each View and each member as one counted transfer. `parameters`: those
/// of the launch, because classes by value may be gone when a graph is launched again.
void require_finite(const Call& call, const ParameterBlock& parameters);

}  // namespace mylos::inline MYLOS_ABI::detail
