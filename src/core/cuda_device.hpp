// SPDX-License-Identifier: MIT
// The GPU behind the engine in use, for what launches kernels on it.
#pragma once

#include <memory>
#include <optional>

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>

#include "cuda/context.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// Both throw BackendError when the device in use is not a GPU.
[[nodiscard]] std::shared_ptr<cuda::Context> cuda_context();
/// The driver's stream behind a Device.
[[nodiscard]] cuda::Stream& cuda_stream(const Device& device);

}  // namespace mylos::inline MYLOS_ABI::detail
