// SPDX-License-Identifier: MIT
// Small texts that messages are made of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// "(4, 3)": extents, strides, an index.
[[nodiscard]] MYLOS_EXPORT std::string tuple_text(std::span<const std::int64_t> numbers);

/// A mangled symbol, or the name of a std::type_info, as C++ writes it; anything else as it is.
[[nodiscard]] MYLOS_EXPORT std::string demangled(const char* name);

/// What the system says of an error number, a value of errno.
[[nodiscard]] MYLOS_EXPORT std::string system_reason(int code);

/// The lines of a text, without their ends ("\n" or "\r\n"). They refer to it.
[[nodiscard]] MYLOS_EXPORT std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace mylos::inline MYLOS_ABI::detail
