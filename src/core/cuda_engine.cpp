// SPDX-License-Identifier: MIT
#include "core/cuda_engine.hpp"

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::detail {

// cuda_status() gives a reason in every build with this source, so nobody gets here without having asked for it.
std::unique_ptr<Engine> make_cuda_engine(int device) {
  throw BackendError(fmt::format("the CUDA device {} cannot be used: {}", device, cuda_status().reason));
}

}  // namespace mylos::inline MYLOS_ABI::detail
