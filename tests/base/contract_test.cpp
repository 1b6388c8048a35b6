// SPDX-License-Identifier: MIT
#include <mylos/base/contract.hpp>

#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/version.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

TEST(Contract, InternalErrorNamesThePlaceTheStatementAndWhatToDo) {
  const unsigned line = __LINE__ + 1;
  const std::string text = thrown<mylos::Error>([] { mylos::internal_error("the moon is made of cheese"); });
  EXPECT_TRUE(contains(text, {"internal error", "contract_test.cpp:" + std::to_string(line),
                              "the moon is made of cheese", "please report", mylos::version()}));
}

TEST(Contract, InternalErrorKeepsThePlace) {
  const unsigned line = __LINE__ + 2;
  try {
    mylos::internal_error("nobody comes here");
    FAIL();
  } catch (const mylos::Error& error) {
    EXPECT_EQ(error.where().line(), line);
  }
}

}  // namespace
}  // namespace mylos_test
