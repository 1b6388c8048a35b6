// SPDX-License-Identifier: MIT
#include <mylos/base/environment.hpp>

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/scoped_variable.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

namespace environment = mylos::environment;
constexpr const char* name = "MYLOS_TEST_VARIABLE";

// Reads the variable while it has this value.
template <class Read>
auto with_value(const char* value, Read&& read) {
  const ScopedVariable variable(name, value);
  return read();
}

// The error that reading it gives; it always names variable and value.
template <class Read>
std::string refusal(const char* value, Read&& read) {
  const ScopedVariable variable(name, value);
  const std::string text = thrown<mylos::ValueError>(read);
  EXPECT_TRUE(contains(text, {name, std::string("'") + value + "'", "unset it"}));
  return text;
}

TEST(Environment, UnsetAndEmptyAreNothing) {
  for (const char* value : {static_cast<const char*>(nullptr), ""}) {
    const ScopedVariable variable(name, value);
    EXPECT_EQ(environment::text(name), std::nullopt);
    EXPECT_EQ(environment::boolean(name), std::nullopt);
    EXPECT_EQ(environment::integer(name), std::nullopt);
    EXPECT_EQ(environment::real(name, 0, 1), std::nullopt);
    EXPECT_EQ(environment::choice(name, {"a"}), std::nullopt);
    EXPECT_TRUE(environment::choices(name, {"a"}).empty());
  }
}

TEST(Environment, TextIsAsItStands) {
  EXPECT_EQ(with_value(" a=b ", [] { return environment::text(name); }), " a=b ");
}

TEST(Environment, BooleanKnowsTheUsualWords) {
  const auto read = [] { return environment::boolean(name); };
  for (const char* word : {"1", "true", "ON", "Yes"}) EXPECT_EQ(with_value(word, read), true) << word;
  for (const char* word : {"0", "False", "off", "NO"}) EXPECT_EQ(with_value(word, read), false) << word;
  for (const char* word : {"2", "y", "enabled", " 1"}) EXPECT_TRUE(contains(refusal(word, read), {"0 or 1"})) << word;
}

TEST(Environment, IntegerIsWholeAndWithinItsBounds) {
  const auto read = [] { return environment::integer(name, -2, 100); };
  EXPECT_EQ(with_value("-2", read), -2);
  EXPECT_EQ(with_value("100", read), 100);
  for (const char* word : {"-3", "101", "1.5", "1e2", "0x10", "7 ", "99999999999999999999", "many"}) {
    EXPECT_TRUE(contains(refusal(word, read), {"a whole number from -2 to 100"})) << word;
  }
  EXPECT_EQ(with_value("-9223372036854775808", [] { return environment::integer(name); }), INT64_MIN);
}

TEST(Environment, RealIsWithinItsBounds) {
  const auto read = [] { return environment::real(name, 0, 1); };
  EXPECT_EQ(with_value("0", read), 0);
  EXPECT_EQ(with_value("1", read), 1);
  EXPECT_EQ(with_value("2.5e-3", read), 2.5e-3);
  for (const char* word : {"-1e-9", "1.5", "nan", "0.5 ", "0,5", "1e", "small"}) {
    EXPECT_TRUE(contains(refusal(word, read), {"a number from 0 to 1"})) << word;
  }
}

TEST(Environment, ChoiceListsWhatThereIs) {
  const auto read = [] { return environment::choice(name, {"host", "emulated"}); };
  EXPECT_EQ(with_value("emulated", read), "emulated");
  EXPECT_TRUE(contains(refusal("Host", read), {"one of host, emulated"}));
}

TEST(Environment, ChoicesAreSeparatedByCommas) {
  const auto read = [] { return environment::choices(name, {"memory", "race", "all"}); };
  EXPECT_EQ(with_value("memory, race", read), (std::vector<std::string>{"memory", "race"}));
  EXPECT_EQ(with_value("all", read), (std::vector<std::string>{"all"}));
  for (const char* word : {"memory,", ",", "memory race", "memory,raze"}) {
    EXPECT_TRUE(contains(refusal(word, read), {"memory, race, all"})) << word;
  }
}

}  // namespace
}  // namespace mylos_test
