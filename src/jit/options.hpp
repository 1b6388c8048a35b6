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

namespace mylos::inline MYLOS_ABI::jit::detail {

/// The value where options[at] is the option `name`: "--name=value", "--name value" and, for names of one letter,
/// "-Nvalue"; empty where none follows. Moves `at` to the word that holds the value.
std::optional<std::string> value_of_option(std::string_view name, std::span<const std::string> options,
                                           std::size_t& at);

/// The values of an option under any of its names, in order, empty ones left out.
std::vector<std::string> values_of_option(std::span<const std::string> options,
                                          std::initializer_list<std::string_view> names);

/// Why what these options compile cannot be kept: they read files that nobody can tell, or write some. Empty for most.
std::vector<std::string> obstacles_in(std::span<const std::string> options);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
