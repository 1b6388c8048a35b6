// SPDX-License-Identifier: MIT
// CUDA as an engine.
#pragma once

#include <memory>
#include <string>

#include <mylos/core/detail/engine.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Why CUDA, which cuda::driver() could be used for, cannot be any more: an error that the process does not recover
/// from; else empty.
std::string cuda_fault();

/// Throws BackendError when CUDA is unusable.
std::unique_ptr<Engine> make_cuda_engine(int device);

}  // namespace mylos::inline MYLOS_ABI::detail
