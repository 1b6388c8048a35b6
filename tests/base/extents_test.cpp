// SPDX-License-Identifier: MIT
#include <mylos/base/extents.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::Extents3;
struct Options { Extents3 threads = {}; };

TEST(Extents, NotGivenIsToldFromGiven) {
  EXPECT_FALSE(Extents3().given());
  EXPECT_FALSE(Options{}.threads.given());
  EXPECT_TRUE((Options{.threads = 0}.threads.given()));
  EXPECT_NE(Extents3(), Extents3(1));
}

TEST(Extents, TakesOneToThreeIntegersOfAnyType) {
  const std::size_t n = 5;
  const std::uint16_t m = 6;
  EXPECT_EQ((Options{.threads = n}.threads), Extents3(5));
  EXPECT_EQ((Options{.threads = {n, m}}.threads), Extents3(5, 6));
  const Extents3 all(n, m, std::int64_t{1} << 40);
  EXPECT_EQ(all.array(), (std::array<std::int64_t, 3>{5, 6, std::int64_t{1} << 40}));
  EXPECT_EQ(all.rank, 3);
  EXPECT_FALSE((std::is_constructible_v<Extents3, double>));
  EXPECT_FALSE((std::is_constructible_v<Extents3, int, int, int, int>));
}

TEST(Extents, AxesThatAreLeftOutCountAsOne) {
  EXPECT_EQ(Extents3(7).array(), (std::array<std::int64_t, 3>{7, 1, 1}));
  EXPECT_EQ(Extents3(7, 2).array(), (std::array<std::int64_t, 3>{7, 2, 1}));
}

TEST(Extents, UnsignedBeyondSignedIsRefused) {
  const auto text = thrown<mylos::RangeError>([] { (void)Extents3(std::size_t(-1)); });
  EXPECT_TRUE(contains(text, {"larger than 2^63 - 1", "negative number"}));
  EXPECT_EQ(Extents3(std::numeric_limits<std::int64_t>::max()).x, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Extents3(-3).x, -3);
}

TEST(Extents, PrintsWhatWasGiven) {
  EXPECT_EQ(to_string(Extents3()), "(not given)");
  EXPECT_EQ(to_string(Extents3(4)), "(4)");
  EXPECT_EQ(to_string(Extents3(4, 2)), "(4, 2)");
  EXPECT_EQ(to_string(Extents3(4, 2, 1)), "(4, 2, 1)");
}

}  // namespace
}  // namespace mylos_test
