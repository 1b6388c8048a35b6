// SPDX-License-Identifier: MIT
#include "core/cuda_engine.hpp"

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::detail {

const CudaStatus& cuda_status() noexcept {
  static const CudaStatus status{.reason = "no driver was looked for", .driver_version = {}, .devices = {}};
  return status;
}

std::unique_ptr<Engine> make_cuda_engine(int device) {
  throw BackendError(fmt::format("device {}: CUDA cannot be used: {}", device, cuda_status().reason));
}

}  // namespace mylos::inline MYLOS_ABI::detail
