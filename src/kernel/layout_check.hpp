// SPDX-License-Identifier: MIT
// Types whose names only the kernel's compiler knows: as it and the host's compiler have them.
#pragma once

#include <mylos/base/abi.hpp>
#include <mylos/jit/compiler.hpp>

#include "kernel/argument_plan.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// Compares what only the kernel's compiler knows: classes, enumerations and numbers under another name, by value and
/// as elements of Views. Sizes, and whether it is a number and which; a value must have the same alignment too, an
/// element may have more. Of classes that MYLOS_STRUCT describes also the fields, one by one: that they are there,
/// their places and types. What `compiled` does not say is not compared. Throws SignatureError with both sides.
void check_layouts(const Call& call, const CompiledKernel& compiled);

}  // namespace mylos::inline MYLOS_ABI::detail
