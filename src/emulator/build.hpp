// SPDX-License-Identifier: MIT
// From a source to an image, by the host's compiler, in a folder of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/compiler.hpp>

#include "emulator/loader.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// What one source is compiled to. The forms other than the usual one have plain indices: see shim/mylos_index.hpp.
enum class Form { usual, plain_indices, checked };

/// What the compiler made.
struct Built {
  std::shared_ptr<const Image> image;
  std::vector<std::filesystem::path> files_read;  // by the compiler, its own headers too; absolute, normal
};

/// Throws CompileError with the errors beside the lines of the source, BackendError without a compiler that works.
Built build(const Source& source, Form form, bool portable_switch);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
