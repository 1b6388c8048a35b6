// SPDX-License-Identifier: MIT
// Typed reading of environment variables. A bad value is an error that names the variable, never a default.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::environment {

/// The variable's text; nothing when it is unset or empty.
MYLOS_EXPORT std::optional<std::string> text(const char* name);

/// 0|1, false|true, off|on, no|yes in any case. Throws ValueError for anything else.
MYLOS_EXPORT std::optional<bool> boolean(const char* name);

/// A whole number within [lowest, highest]. Throws ValueError for anything else.
MYLOS_EXPORT std::optional<std::int64_t> integer(const char* name,
                                                 std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
                                                 std::int64_t highest = std::numeric_limits<std::int64_t>::max());

/// A number within [lowest, highest], "1e-12" for one. Throws ValueError for anything else.
MYLOS_EXPORT std::optional<double> real(const char* name, double lowest, double highest);

/// One of the words in `allowed`, exactly. Throws ValueError that lists them otherwise.
MYLOS_EXPORT std::optional<std::string> choice(const char* name, std::initializer_list<std::string_view> allowed);

/// Words separated by commas, blanks around them dropped; every one must be in `allowed`. Throws ValueError.
MYLOS_EXPORT std::vector<std::string> choices(const char* name, std::initializer_list<std::string_view> allowed);

}  // namespace mylos::inline MYLOS_ABI::environment
