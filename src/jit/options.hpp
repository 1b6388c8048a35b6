// SPDX-License-Identifier: MIT
// Reading NVRTC's command line.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// The values of an option under any of its names, in order: "--name=value", "--name value" and, for names of one
/// letter, "-Nvalue".
std::vector<std::string> values_of_option(std::span<const std::string> options,
                                          std::initializer_list<std::string_view> names);

/// Why what these options compile cannot be kept: they read files that nobody can tell, or write some. Empty for most.
std::vector<std::string> obstacles_in(std::span<const std::string> options);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
