// SPDX-License-Identifier: MIT
// From the tokens of one parameter to a Parameter, and from the tokens of a type to its canonical spelling.
#pragma once

#include <string>

#include <mylos/base/abi.hpp>
#include <mylos/jit/signature.hpp>

#include "jit/declarations.hpp"
#include "jit/tokens.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {

// Tokens as a person would write them: "const double* x", "Foo<int, 3>", "void (*)(int)".
std::string spelled(const Tokens& tokens);

// Takes out const that is not inside of template arguments, and words that say nothing about how an argument is passed:
// volatile, struct, __restrict__.
void drop_qualifiers(Tokens& type);

// The canonical spelling of a type without pointers, const dropped; see jit::canonical_type.
std::string canonical(Tokens type, const Aliases& aliases);

// One parameter without its comma; a default value is dropped.
Parameter parse_parameter(Tokens tokens, const Aliases& aliases);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
