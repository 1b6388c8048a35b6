// SPDX-License-Identifier: MIT
// Reading NVRTC's command line.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/jit/headers.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// The value where options[at] is the option `name`: "--name=value", "--name value" and, for names of one letter,
/// "-Nvalue"; empty where none follows. Moves `at` to the word that holds the value.
std::optional<std::string> value_of_option(std::string_view name, std::span<const std::string> options,
                                           std::size_t& at);

/// The values of an option under any of its names, in order, empty ones left out.
std::vector<std::string> values_of_option(std::span<const std::string> options,
                                          std::initializer_list<std::string_view> names);

/// What they define and undefine (-D, -U and their long names), one after the other: the last word on a name counts, as
/// for NVRTC and for C++ compilers.
std::vector<OptionMacro> macros_in(std::span<const std::string> options);
/// The same as lines of #define.
std::string definitions_in(std::span<const std::string> options);

/// Why what these options compile cannot be kept: they read files that nobody can tell, or write some. Empty for most.
std::vector<std::string> obstacles_in(std::span<const std::string> options);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
