// SPDX-License-Identifier: MIT
#include <mylos/base/error.hpp>

#include <utility>

namespace mylos::inline MYLOS_ABI {

Error::Error(const std::string& message, std::source_location where) : std::runtime_error(message), where_(where) {}

// Here, so that type information and vtable have one home.
Error::~Error() = default;

CompileError::CompileError(const std::string& message, std::string log, std::source_location where)
    : Error(message, where), log_(std::move(log)) {}

}  // namespace mylos::inline MYLOS_ABI
