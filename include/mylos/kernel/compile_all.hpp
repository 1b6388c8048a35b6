// SPDX-License-Identifier: MIT
// Many kernels compiled together: how, and what does it for catalogs and variants.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/cuda_kernel.hpp>

namespace mylos::inline MYLOS_ABI {

/// `arch`: "sm_90" and the like; empty: for the device in use, which on the emulated one is the host's compiler.
/// `jobs`: how many are compiled at a time. NVRTC compiles one at a time in a process: all jobs but the first have one
/// of their own, which needs about 50 ms to begin; with a static library of Mylos they wait for each other instead.
struct CompileAll {
  std::string arch = {};
  int jobs = 1;
};

namespace detail {

/// One kernel of many. Without one, `problem` says why there is none.
struct CompileTask {
  std::string name;  ///< in messages
  std::optional<CudaKernel> kernel = {};
  std::string problem = {};
};

/// Compiles all kernels with the settings of the calling thread, and afterwards throws CompileError with every task
/// that has no kernel or did not compile. `who` begins the messages. Returns how many there are. Throws ValueError
/// (jobs) and BackendError (a device or compiler that cannot be used) before anything is compiled.
MYLOS_EXPORT int compile_together(std::string_view who, std::vector<CompileTask> tasks, const CompileAll& options);

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
