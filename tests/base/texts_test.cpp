// SPDX-License-Identifier: MIT
#include "base/texts.hpp"

#include <errno.h>

#include <cstdint>
#include <typeinfo>
#include <vector>

#include <gtest/gtest.h>

namespace mylos_test {
namespace {

TEST(Texts, Tuples) {
  using mylos::detail::tuple_text;
  EXPECT_EQ(tuple_text({}), "()");
  EXPECT_EQ(tuple_text(std::vector<std::int64_t>{-3}), "(-3)");
  EXPECT_EQ(tuple_text(std::vector<std::int64_t>{4, 3, INT64_MAX}), "(4, 3, 9223372036854775807)");
}

struct Marker {};

TEST(Texts, NamesOfTypesAndSymbols) {
  using mylos::detail::demangled;
  EXPECT_EQ(demangled(typeid(double).name()), "double");
  EXPECT_EQ(demangled(typeid(Marker*).name()), "mylos_test::(anonymous namespace)::Marker*");
  EXPECT_EQ(demangled("_Z4pushPdi"), "push(double*, int)");
  EXPECT_EQ(demangled("no mangled name"), "no mangled name");
}

TEST(Texts, Lines) {
  using Lines = std::vector<std::string_view>;
  using mylos::detail::lines_of;
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
  EXPECT_EQ(lines_of("a\r\n\nb"), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
}

TEST(Texts, ReasonsOfTheSystem) { EXPECT_EQ(mylos::detail::system_reason(ENOENT), "No such file or directory"); }

}  // namespace
}  // namespace mylos_test
