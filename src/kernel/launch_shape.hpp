// SPDX-License-Identifier: MIT
// Blocks and threads of a launch, and the limits that CUDA sets.
#pragma once

#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/launch.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Throws ValueError (negative numbers), LaunchError (limits, unknown number of threads). A grid with a 0 is empty
/// work.
[[nodiscard]] LaunchShape shape_of_launch(std::string_view kernel, const CudaOptions& options, const Launch& settings,
                                          const Arguments& arguments);

}  // namespace mylos::inline MYLOS_ABI::detail
