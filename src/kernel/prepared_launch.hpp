// SPDX-License-Identifier: MIT
// A launch that is checked and compiled: what is left to do of it, now or each time that a graph is launched.
#pragma once

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/kernel/cuda_kernel.hpp>

#include "kernel/argument_plan.hpp"
#include "kernel/device_program.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// At this moment.
[[nodiscard]] bool is_debugged(const CudaOptions& options);
/// Whether a launch with these options is waited for and looked at: debugged, or its numbers asked to be finite.
[[nodiscard]] bool is_watched(const CudaOptions& options);

struct PreparedLaunch {
  const Call& call;
  const CudaOptions& options;
  const LaunchShape& shape;
  const ParameterBlock& parameters;
  const DeviceProgram& program;

  /// Queues it, and waits where it is debugged. Throws as DeviceProgram::launch, ValueError for
  /// CudaOptions::check_finite.
  void run(const Device& stream) const;
};

}  // namespace mylos::inline MYLOS_ABI::detail
