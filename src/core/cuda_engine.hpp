// SPDX-License-Identifier: MIT
// CUDA as an engine: what can be said about it, and the engine itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <mylos/core/detail/engine.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Asked once, then remembered; never throws.
struct CudaStatus {
  std::string reason;                ///< why the cuda backend is unusable; empty when it can be used
  std::string driver_version;        ///< of the driver that was found; empty without one
  std::vector<std::string> devices;  ///< names of the GPUs
};
const CudaStatus& cuda_status() noexcept;
/// Why CUDA, which could be used, cannot be any more: an error that the process does not recover from; else empty.
std::string cuda_fault();

/// Throws BackendError when CUDA is unusable.
std::unique_ptr<Engine> make_cuda_engine(int device);

}  // namespace mylos::inline MYLOS_ABI::detail
