// SPDX-License-Identifier: MIT
// How the variables of a kernel's text are called in the symbol table of what it was compiled to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// "physics::scale" for "_ZN7physics5scaleE": as a person writes what the linker knows.
[[nodiscard]] std::string readable_name(const std::string& symbol);

/// The name of a variable at namespace scope, with its namespaces, as that of the text has it. Empty for all other
/// symbols: of functions and what is in them, of namespaces without a name, of compilers and of Mylos.
[[nodiscard]] MYLOS_EXPORT std::string qualified_name(const std::string& symbol);

/// Throws LookupError: `text` has no variable of this name, it has `others`.
[[noreturn]] MYLOS_EXPORT void throw_no_variable(std::string_view text, std::string_view name,
                                                 std::vector<std::string> others);

}  // namespace mylos::inline MYLOS_ABI::detail
