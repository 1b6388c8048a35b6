// SPDX-License-Identifier: MIT
// Header texts that live inside the library, so that kernels compile at run time without any include path.
#pragma once

#include <span>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>

namespace mylos::inline MYLOS_ABI::jit {

/// The device headers, <mylos/device/*.hpp> and <mylos/device.hpp>, as they were when the library was built.
/// Names and texts live as long as the program; texts end with a zero byte behind their last character.
[[nodiscard]] MYLOS_EXPORT std::span<const NamedText> device_headers();

/// Stand-ins for the C and C++ standard headers that kernels commonly include (<cstdint>, <cmath>, <limits>, ...):
/// what of them makes sense on a device. For NVRTC, which has none; not for a host compiler.
[[nodiscard]] MYLOS_EXPORT std::span<const NamedText> standard_headers();

/// device_headers() and standard_headers().
[[nodiscard]] MYLOS_EXPORT std::span<const NamedText> nvrtc_headers();

}  // namespace mylos::inline MYLOS_ABI::jit
