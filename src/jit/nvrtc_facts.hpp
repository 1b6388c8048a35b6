// SPDX-License-Identifier: MIT
// What is known of NVRTC without loading it, which takes longer than loading all kernels of a program from the cache.
#pragma once

#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/cuda/nvrtc.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

struct NvrtcFacts {
  std::string path;
  std::string file;  // which one that is: identity_of(path)
  std::string version;
  std::vector<int> architectures;

  bool operator==(const NvrtcFacts&) const = default;
};

NvrtcFacts facts_of(const cuda::Nvrtc& nvrtc);

/// Of the process' own NVRTC: what an earlier process has kept of it in the cache, if the library that it loaded is the
/// same file still, and nothing that decides which one is found has changed; else it is loaded. The first answer holds
/// for the process. Throws BackendError when there is none.
const NvrtcFacts& facts_of_own_nvrtc();

/// Keeps them for later processes.
void keep_facts_of_own_nvrtc(const NvrtcFacts& facts);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
