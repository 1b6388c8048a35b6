// SPDX-License-Identifier: MIT
// Whether a text holds every one of some pieces, as a GoogleTest result that names the first that is missing.
#pragma once

#include <initializer_list>
#include <string_view>

#include <gtest/gtest.h>

namespace mylos_test {

inline ::testing::AssertionResult contains(std::string_view text, std::initializer_list<std::string_view> pieces) {
  for (const std::string_view piece : pieces) {
    if (text.find(piece) == std::string_view::npos) {
      return ::testing::AssertionFailure() << "'" << piece << "' is not in:\n" << text;
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace mylos_test
