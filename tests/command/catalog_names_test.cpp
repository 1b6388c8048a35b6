// SPDX-License-Identifier: MIT
#include "catalog_names.hpp"

#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos_command::catalog_call;
using mylos_command::catalog_namespace;

TEST(CatalogCall, IsReadHoweverItIsWritten) {
  for (const char* text : {
           "mylos_add_kernels(plasma DIRECTORY src/loops NAMESPACE plasma::loops)",
           "# mylos_add_kernels(old DIRECTORY a NAMESPACE b)\nMYLOS_ADD_KERNELS (\n  plasma # (its kernels)\n"
           "  NAMESPACE plasma::loops\n  ARCHITECTURES 80 90\n  DIRECTORY \"src/loops\"\n)",
           "#[[ mylos_add_kernels(old\n DIRECTORY a NAMESPACE b) ]]\n"
           "mylos_add_kernels(plasma DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/src/loops NAMESPACE plasma::loops)",
           "mylos_add_kernels(plasma DIRECTORY \"${CMAKE_CURRENT_LIST_DIR}/src/loops\" NAMESPACE plasma::loops)",
           "message(\"\\\"mylos_add_kernels(old DIRECTORY a NAMESPACE b)\")\n"
           "if((A) AND (mylos_add_kernels))\nmylos_add_kernels(plasma DIRECTORY [=[src/loops]=] NAMESPACE "
           "plasma::loops)\nendif()",
       }) {
    const auto call = catalog_call(text);
    ASSERT_TRUE(call.has_value()) << text;
    EXPECT_EQ(call->directory, "src/loops") << text;
    EXPECT_EQ(call->name_space, "plasma::loops") << text;
  }
}

TEST(CatalogCall, IsToBeTheOnlyOne) {
  EXPECT_FALSE(catalog_call(""));
  EXPECT_FALSE(catalog_call("my_mylos_add_kernels(a DIRECTORY a NAMESPACE a)"));
  const std::string one = "mylos_add_kernels(a DIRECTORY a NAMESPACE a)\n";
  EXPECT_TRUE(catalog_call(one));
  EXPECT_FALSE(catalog_call(one + one));
  for (const char* cut : {"mylos_add_kernels", "mylos_add_kernels(a DIRECTORY \"", "#[==[", "[=", "\\", ")("}) {
    EXPECT_FALSE(catalog_call(one + one + cut)) << "what is not closed ends with the text";
  }
}

TEST(CatalogCall, LongTextsAreRead) {
  const std::string much(1'000'000, 'x'), call = "mylos_add_kernels(a DIRECTORY b NAMESPACE c)\n";
  for (const std::string& before : {"# " + much + "\n", "#[[ " + much + "]]\n", "set(LONG \"" + much + "\")\n",
                                    "set(LONG " + much + ")\n", std::string(1'000'000, '\n')}) {
    const auto found = catalog_call(before + call);
    ASSERT_TRUE(found.has_value()) << before.substr(0, 12);
    EXPECT_EQ(found->directory, "b");
  }
}

TEST(CatalogCall, ValuesThatOnlyCMakeKnowsAreRefused) {
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([] {
                         static_cast<void>(catalog_call("mylos_add_kernels(a DIRECTORY a NAMESPACE ${space})"));
                       }),
                       {"NAMESPACE ${space}", "--namespace"}));
}

TEST(CatalogNamespace, IsThatOfTheFunctors) {
  for (const char* text : {
           "namespace a::b::host {\nstruct f {};\n}",
           "namespace a { namespace b { struct g { int x[2] = {}; }; namespace host { struct f {}; } } }",
           "// namespace old::host {\nnamespace a {}\nnamespace host { }\nusing namespace std;\n"
           "namespace short_name = a::host;\nnamespace a::inline b {\nnamespace host {",
       }) {
    EXPECT_EQ(catalog_namespace(text), "a::b") << text;
  }
  for (const char* text :
       {"", "namespace host {}", "struct host {};", "namespace a::b {}", "namespace", "namespace a"}) {
    EXPECT_EQ(catalog_namespace(text), "") << text;
  }
  const std::string much(1'000'000, ' ');
  EXPECT_EQ(catalog_namespace("/*" + much + "*/ namespace" + much + "a::host {"), "a");
}

}  // namespace
}  // namespace mylos_test
