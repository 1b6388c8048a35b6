// SPDX-License-Identifier: MIT
// The GPU behind the engine in use, for what launches kernels on it, and what all engines on a GPU have in common.
#pragma once

#include <memory>
#include <string>

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/jit/compiler.hpp>

#include "cuda/context.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// Both throw BackendError when the device in use is not a GPU.
[[nodiscard]] const std::shared_ptr<cuda::Context>& cuda_context();
/// The driver's stream behind a Device.
[[nodiscard]] cuda::Stream& cuda_stream(const Device& device);

/// Engine::why_unreachable, as the driver knows it.
[[nodiscard]] std::string why_unreachable(const cuda::Context& context, const void* pointer);

/// Compiles for the context's device; the architecture of the request is filled in. Throws as jit::Compiler::compile,
/// and BackendError where NVRTC is missing or too new for the device.
[[nodiscard]] CompiledKernel compile_for(const cuda::Context& context, jit::CompileRequest request);

}  // namespace mylos::inline MYLOS_ABI::detail
