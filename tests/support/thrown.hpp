// SPDX-License-Identifier: MIT
// The text of the error that a call throws: tests look at messages, not only at types.
#pragma once

#include <string>
#include <typeinfo>

#include <gtest/gtest.h>

namespace mylos_test {

/// what() of the exception of exactly type E that `f` throws; a test failure and "" otherwise.
template <class E, class F>
std::string thrown(F&& f) {
  try {
    f();
  } catch (const E& error) {
    EXPECT_EQ(typeid(error), typeid(E)) << "a child was thrown: " << error.what();
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another error was thrown: " << typeid(error).name() << ": " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace mylos_test
