// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <mylos/base/hash.hpp>

namespace mylos_test {

/// Under which a test keeps what it calls `name`.
inline std::string key_of(const std::string& name) { return mylos::Hasher().add(name).hex(); }

}  // namespace mylos_test
