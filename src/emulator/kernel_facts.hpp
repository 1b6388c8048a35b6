// SPDX-License-Identifier: MIT
// What the object file proves about a kernel.
#pragma once

#include <cstddef>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/compiler.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

class ObjectFile;

/// The thread-local variable that all dynamic shared arrays of a kernel are.
inline constexpr const char* dynamic_shared_symbol = "mylos_dynamic_shared";
/// A thread-local variable of checked kernels, whose place tells those of the others.
inline constexpr const char* anchor_symbol = "mylos_anchor";

struct KernelFacts {
  Execution execution = Execution::fibers;
  bool has_atomics = false;
  bool blocks_meet = false;  // at barriers of the grid
  std::size_t static_shared_bytes = 0;
  bool has_dynamic_shared = false;
};

/// From what the kernel's code refers to, directly or not: a word that it does not refer to, it cannot use.
KernelFacts examine(const ObjectFile& object);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
