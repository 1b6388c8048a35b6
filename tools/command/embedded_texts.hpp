// SPDX-License-Identifier: MIT
// Files that are part of the command.
#pragma once

#include <span>

#include <mylos/base/named_text.hpp>

namespace mylos_command {

/// Those of skeleton/, by their names there.
extern const std::span<const mylos::NamedText> skeleton_texts;
/// "cxx" and "catalog": what mylos_add_kernels() refuses as names, one in each line.
extern const std::span<const mylos::NamedText> word_lists;

}  // namespace mylos_command
