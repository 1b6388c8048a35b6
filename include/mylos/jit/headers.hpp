// SPDX-License-Identifier: MIT
// Header texts that live inside the library, so that kernels compile at run time without any include path.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/jit/source.hpp>

namespace mylos::inline MYLOS_ABI::jit {

/// The device headers, <mylos/device/*.hpp> and <mylos/device.hpp>, as they were when the library was built.
/// Names and texts live as long as the program; texts end with a zero byte behind their last character.
[[nodiscard]] MYLOS_EXPORT std::span<const NamedText> device_headers();

/// Stand-ins for the C and C++ standard headers that kernels commonly include (<cstdint>, <cmath>, <limits>, ...):
/// what of them makes sense on a device. For NVRTC, which has none; not for a host compiler.
[[nodiscard]] MYLOS_EXPORT std::span<const NamedText> standard_headers();

/// device_headers() and standard_headers().
[[nodiscard]] MYLOS_EXPORT std::span<const NamedText> nvrtc_headers();

/// A macro as an option defines it: {"F", "F(x) x"} of "-DF(x)=x", {"N", "N 1"} of "-DN".
struct OptionMacro { std::string name, definition; };

/// Those that compiler options define (-D, --define-macro), each once, with the last of its definitions; Mylos' own
/// (MYLOS_...) left out.
[[nodiscard]] MYLOS_EXPORT std::vector<OptionMacro> defined_macros(std::span<const std::string> options);

/// Those that neither `text` nor a file that it includes (found as by included_files()) defines or undefines itself, so
/// that what they mean at a place is not for us to say; a default, `#ifndef N`, `#define N 8`, says nothing where an
/// option defines N. Without macros no file is read.
[[nodiscard]] MYLOS_EXPORT std::vector<OptionMacro> unchanged_by(std::string_view text, const IncludeFolders& folders,
                                                                 std::span<const NamedText> embedded,
                                                                 std::vector<OptionMacro> macros);

/// A header's text inside of which these macros do not exist: "-DT=float" is for the kernel's text, and must not break
/// what it includes. Behind it they are as before. Line numbers stay.
[[nodiscard]] MYLOS_EXPORT std::string without_macros(const NamedText& header, std::span<const OptionMacro> macros);

}  // namespace mylos::inline MYLOS_ABI::jit
