// SPDX-License-Identifier: MIT
// What the outcome of a compilation depends on.
#pragma once

#include <mylos/base/abi.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/dependencies.hpp>

#include "jit/keeping.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Everything that the compiler is told of a source, the contents of the files that it includes among it.
struct SourceKey {
  jit::detail::CacheKey key;
  jit::Dependencies dependencies;
};
SourceKey key_of(const Source& source);

/// What all of them begin with: how this library compiles, the compiler, the machine, and the shim.
Hasher begin_compiler_key();

/// Whether `file` (absolute, normal) lies in a folder that the source names, and not in one that is the compiler's own.
bool is_in_folders_of(const Source& source, const std::filesystem::path& file);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
