// SPDX-License-Identifier: MIT
// The version of the library that runs (not of the headers that a program was compiled with).
#pragma once

#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// "major.minor.patch".
MYLOS_EXPORT std::string_view version();

/// Throws VersionError when the library is older than `at_least` ("1", "1.2" or "1.2.3"); ValueError when that is no
/// version.
MYLOS_EXPORT void require_version(std::string_view at_least);

}  // namespace mylos::inline MYLOS_ABI
