// SPDX-License-Identifier: MIT
// What a kernel can be called.
#pragma once

#include <string>

namespace mylos_command {

/// Throws mylos::ValueError for a name that is no C++ identifier, a word of C++ or of a catalog (cmake/*_words.txt), or
/// the compiler's own (_a, a__b), and for a namespace that is none.
void require_name_and_namespace(const std::string& name, const std::string& name_space);

/// Compiles the port of skeleton/ under this name: where a compiler that is there, the emulator's or NVRTC, refuses it,
/// since CUDA or C has something of that name already, throws mylos::ValueError with the compiler's words. Cost: as of
/// two compilations.
void require_compilable(const std::string& name);

}  // namespace mylos_command
