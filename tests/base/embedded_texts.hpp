// SPDX-License-Identifier: MIT
// What CMakeLists.txt embeds in the test.
#pragma once

#include <span>

#include <mylos/base/named_text.hpp>

namespace mylos_test::embedded {

extern const std::span<const mylos::NamedText> texts;
extern const std::span<const mylos::NamedText> headers;
extern const std::span<const mylos::NamedText> included;

}  // namespace mylos_test::embedded
