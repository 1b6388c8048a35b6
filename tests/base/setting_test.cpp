// SPDX-License-Identifier: MIT
#include "base/setting.hpp"

#include <optional>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::detail::Setting;

// Each has statics of its own: one definition for each test.
template <int Test>
struct Definition {
  using Value = int;
  static inline int asked = 0;
  static inline bool broken = false;
  static Value initial() {
    ++asked;
    if (broken) throw std::runtime_error("a bad variable");
    return 1;
  }
};

TEST(Setting, ScopeThenProcessThenEnvironment) {
  using S = Setting<Definition<0>>;
  EXPECT_EQ(S::get(), 1);
  S::set(2);
  EXPECT_EQ(S::get(), 2);
  const auto outermost = S::enter(3);
  EXPECT_EQ(S::get(), 3);
  S::set(4);
  EXPECT_EQ(S::get(), 3) << "a scope wins over a process-wide call that comes later";
  const auto outer = S::enter(5);
  EXPECT_EQ(S::get(), 5);
  S::leave(outer);
  EXPECT_EQ(S::get(), 3);
  S::leave(outermost);
  EXPECT_EQ(S::get(), 4);
  S::set(std::nullopt);
  EXPECT_EQ(S::get(), 1);
}

// Of more than half a word: there is no process-wide call to race with.
struct Wide {
  using Value = double;
  static Value initial() { return 1.5; }
};

TEST(Setting, WideValuesHaveScopes) {
  using S = Setting<Wide>;
  EXPECT_EQ(S::get(), 1.5);
  const auto outer = S::enter(2.5);
  EXPECT_EQ(S::get(), 2.5);
  S::leave(outer);
  EXPECT_EQ(S::get(), 1.5);
}

TEST(Setting, AnEmptyScopeSaysNothing) {
  using S = Setting<Definition<1>>;
  S::set(2);
  const auto outermost = S::enter(3);
  const auto outer = S::enter(std::nullopt);
  EXPECT_EQ(S::scoped(), std::nullopt);
  EXPECT_EQ(S::get(), 2);
  S::leave(outer);
  EXPECT_EQ(S::scoped(), 3);
  S::leave(outermost);
  EXPECT_EQ(S::scoped(), std::nullopt);
}

TEST(Setting, ScopesBelongToTheirThreadAndCallsToTheProcess) {
  using S = Setting<Definition<2>>;
  const auto outer = S::enter(3);
  int before = 0;
  std::thread([&] {
    before = S::get();
    S::set(6);
  }).join();
  EXPECT_EQ(before, 1);
  EXPECT_EQ(S::get(), 3);
  S::leave(outer);
  EXPECT_EQ(S::get(), 6);
}

TEST(Setting, TheEnvironmentIsReadOnceAndOnlyWhenItDecides) {
  using D = Definition<3>;
  using S = Setting<D>;
  const auto outer = S::enter(2);
  EXPECT_EQ(S::get(), 2);
  EXPECT_EQ(D::asked, 0);
  S::leave(outer);
  EXPECT_EQ(S::get(), 1);
  EXPECT_EQ(S::get(), 1);
  EXPECT_EQ(D::asked, 1);
}

TEST(Setting, ABadVariableIsToldByEveryCallThatAsksForIt) {
  using D = Definition<4>;
  using S = Setting<D>;
  D::broken = true;
  EXPECT_EQ(thrown<std::runtime_error>([] { S::get(); }), "a bad variable");
  EXPECT_EQ(thrown<std::runtime_error>([] { S::get(); }), "a bad variable");
  const auto outer = S::enter(2);
  EXPECT_EQ(S::get(), 2);
  S::leave(outer);
  D::broken = false;
  EXPECT_EQ(S::get(), 1);
}

}  // namespace
}  // namespace mylos_test
