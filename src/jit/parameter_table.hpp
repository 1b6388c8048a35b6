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
#include "jit/struct_fields.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {

/// Throws Error: an image's table says what cannot be.
[[noreturn]] void throw_damaged_table(std::string_view why);

/// Of a mylos_type_class. Throws Error where it is none.
[[nodiscard]] TypeClass type_class(unsigned value);

/// The text of `file` with what makes NVRTC put the table of the kernel `expression` into the image, and that of the
/// fields that its classes have, as constants of the device. Lines keep their numbers.
std::string with_parameter_table(std::string_view text, std::string_view file, std::string_view expression,
                                 std::span<const AskedField> fields);

/// Whether that is what messages call the text that is added for the table.
[[nodiscard]] bool is_file_of_table(std::string_view file);

/// Throws Error where a class of a type is none.
std::vector<ParameterLayout> layouts_of(std::span<const mylos_parameter> parameters);

/// The table that a cubin or PTX has; nothing where it has none. Throws Error for an image that is damaged.
MYLOS_EXPORT std::vector<ParameterLayout> parameters_in(std::string_view image);
/// Likewise the fields of its parameters' classes, by parameter.
MYLOS_EXPORT std::vector<std::vector<FieldLayout>> fields_in(std::string_view image);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
