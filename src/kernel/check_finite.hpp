// SPDX-License-Identifier: MIT
// The check that CudaOptions::check_finite asks for.
#pragma once

#include <mylos/base/abi.hpp>

#include "kernel/argument_plan.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// Throws ValueError that names the first element that is NaN or infinite, in any View of floating-point or complex
/// numbers. Waits for the device; each such View that the host does not reach is copied to it, as one counted transfer.
void require_finite(const Call& call);

}  // namespace mylos::inline MYLOS_ABI::detail
