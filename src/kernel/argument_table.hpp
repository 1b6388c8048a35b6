// SPDX-License-Identifier: MIT
// How arguments and parameters are printed in messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/kernel/arguments.hpp>

#include "kernel/argument_plan.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// "double", "const float*", ... as a person writes the C++ type.
[[nodiscard]] std::string value_name(const ArgumentType& type);

/// "View<double**, MylosDevice>" or "int": the type alone.
[[nodiscard]] std::string type_name(const ArgumentType& type);

/// "'x' (View<double**, MylosDevice>, extents (4, 3))" for a View, the type for a value.
[[nodiscard]] std::string describe(const Argument& argument);

/// "double* x", as the kernel declares it.
[[nodiscard]] std::string declaration(const Parameter& parameter);

/// What two lists have at one place.
struct TableRow {
  std::string left = "(none)", right = "(none)";
  bool marked = false;
};

/// Two lists side by side under their titles, one line each, numbered from 1, with an arrow where marked. Begins with a
/// new line.
[[nodiscard]] std::string side_by_side(std::string_view left_title, std::string_view right_title,
                                       std::span<const TableRow> rows);

/// The parameters and the arguments of a call likewise, the numbers in `marked` (from 0) with an arrow.
[[nodiscard]] std::string side_by_side(const Signature& signature, const Arguments& arguments,
                                       std::span<const std::size_t> marked);

/// The arguments alone, likewise.
[[nodiscard]] std::string argument_list(const Arguments& arguments, std::span<const std::size_t> marked);

}  // namespace mylos::inline MYLOS_ABI::detail
