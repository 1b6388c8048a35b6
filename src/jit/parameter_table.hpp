// SPDX-License-Identifier: MIT
// The table of a kernel's parameters that its compiler fills (mylos_parameters.hpp): how it gets into an image, and out
// of it again.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/jit/signature.hpp>

#include "jit/mylos_parameters.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {

/// The text of `file` with what makes NVRTC put the table of the kernel `expression` into the image, as a constant of
/// the device. Lines keep their numbers.
std::string with_parameter_table(std::string_view text, std::string_view file, std::string_view expression);

/// Throws Error where a class of a type is none.
std::vector<ParameterLayout> layouts_of(std::span<const mylos_parameter> parameters);

/// The table that a cubin or PTX has; nothing where it has none. Throws Error for an image that is damaged.
MYLOS_EXPORT std::vector<ParameterLayout> parameters_in(std::string_view image);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
