// SPDX-License-Identifier: MIT
// The variables of a kernel's text, from the symbol table of what it was compiled to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

struct KernelVariable {
  std::string name;          // without the function it is in
  std::uintptr_t begin = 0;  // in its segment
  std::size_t bytes = 0;
};

struct KernelVariables {
  std::vector<KernelVariable> shared;       // static shared arrays
  std::vector<KernelVariable> own;          // thread-local variables of the shim
  std::vector<KernelVariable> globals;      // __device__ and __constant__ variables; `begin` from where it was loaded
  std::vector<KernelVariable> own_globals;  // those of the shim and the compiler
  std::uintptr_t anchor = 0;                // of mylos_anchor among the thread-local ones
  std::optional<std::uintptr_t> dynamic_shared;  // the same of dynamic shared memory, if there is any
  std::size_t thread_local_bytes = 0;            // where the last thread-local variable ends
};

/// Of a checked kernel's shared object. Throws Error for what is none.
KernelVariables variables_of(const std::string& shared_object);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
