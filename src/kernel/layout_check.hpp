// SPDX-License-Identifier: MIT
// Sizes of classes as the host's compiler and the kernel's have them.
#pragma once

#include <span>

#include <mylos/base/abi.hpp>
#include <mylos/jit/signature.hpp>

#include "kernel/argument_plan.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// Compares what only the kernel's compiler knows: of classes by value, and of the elements of Views. A class by value
/// must have the same alignment too, an element may have more. `layouts` is what one compiler says of the parameters;
/// what it does not say is not compared. Throws SignatureError with both numbers.
void check_layouts(const Call& call, std::span<const ParameterLayout> layouts);

}  // namespace mylos::inline MYLOS_ABI::detail
