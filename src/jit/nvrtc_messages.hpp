// SPDX-License-Identifier: MIT
// A call of NVRTC as bytes: what one process asks of another, and what that one answers.
#pragma once

#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/cuda/nvrtc.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// `library`: the file of the NVRTC that is to be called.
[[nodiscard]] MYLOS_EXPORT std::string packed(const std::string& library, const cuda::NvrtcRequest& request);

/// Does what packed() says. The result or the error, for result_in(). A library stays loaded for the next call.
[[nodiscard]] MYLOS_EXPORT std::string answer_to(std::string_view packed_request);

/// What the call would have returned here, or throws what it would have thrown: CompileError or Error.
[[nodiscard]] MYLOS_EXPORT cuda::NvrtcResult result_in(std::string_view answer);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
