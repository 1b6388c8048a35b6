// SPDX-License-Identifier: MIT
// Headers of the CUDA toolkit (cuda_fp16.h, cooperative_groups.h, cuda/atomic), which NVRTC does not bring along.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// The folders to search for them: of the toolkit or the Python packages that the library is part of, else of
/// CUDA_HOME, CUDA_PATH or /usr/local/cuda. Empty where there are none.
MYLOS_EXPORT std::vector<std::filesystem::path> toolkit_folders(const std::filesystem::path& nvrtc_library);

/// What to do about a log of NVRTC that misses one of them; empty for other logs. `folders`: that were searched.
MYLOS_EXPORT std::string advice_on_toolkit(std::string_view log, std::span<const std::filesystem::path> folders);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
