// SPDX-License-Identifier: MIT
// The files of skeleton/, by their names there.
#pragma once

#include <span>

#include <mylos/base/named_text.hpp>

namespace mylos_command {

extern const std::span<const mylos::NamedText> skeleton_texts;

}  // namespace mylos_command
