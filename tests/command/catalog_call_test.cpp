// SPDX-License-Identifier: MIT
#include "catalog_call.hpp"

#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos_command::catalog_call;

TEST(CatalogCall, IsReadHoweverItIsWritten) {
  for (const char* text : {
           "mylos_add_kernels(plasma DIRECTORY src/loops NAMESPACE plasma::loops)",
           "# mylos_add_kernels(old DIRECTORY a NAMESPACE b)\nMYLOS_ADD_KERNELS (\n  plasma # (its kernels)\n"
           "  NAMESPACE plasma::loops\n  ARCHITECTURES 80 90\n  DIRECTORY \"src/loops\"\n)",
           "#[[ mylos_add_kernels(old\n DIRECTORY a NAMESPACE b) ]]\n"
           "mylos_add_kernels(plasma DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/src/loops NAMESPACE plasma::loops)",
           "mylos_add_kernels(plasma DIRECTORY \"${CMAKE_CURRENT_LIST_DIR}/src/loops\" NAMESPACE plasma::loops)",
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
}

TEST(CatalogCall, ValuesThatOnlyCMakeKnowsAreRefused) {
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([] {
                         static_cast<void>(catalog_call("mylos_add_kernels(a DIRECTORY a NAMESPACE ${space})"));
                       }),
                       {"NAMESPACE ${space}", "--namespace"}));
}

}  // namespace
}  // namespace mylos_test
