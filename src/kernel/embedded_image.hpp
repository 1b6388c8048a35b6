// SPDX-License-Identifier: MIT
// Kernels that were compiled when the program was built: ARCHITECTURES of mylos_add_kernels().
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/jit/compiler.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// The one of `images` (see embedded_port()) for this kernel on a device of this compute capability (86 for 8.6);
/// nothing when there is none. A cubin runs where the major number is its own and the minor one is not less, PTX on all
/// that is not older; with 'f' (100f) both on that family only, the same major number; with 'a' (90a) on that
/// capability alone. Of several a cubin, the newest, the one for the fewest devices.
[[nodiscard]] std::optional<CompiledKernel> image_for(std::span<const NamedText> images, std::string_view kernel,
                                                      int capability);

}  // namespace mylos::inline MYLOS_ABI::detail
