// SPDX-License-Identifier: MIT
#include <mylos/base/abi.hpp>

#include <string>
#include <type_traits>
#include <typeinfo>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/version_numbers.hpp>

namespace mylos_test {
namespace {

TEST(Abi, NamespaceIsNamedAfterTheMinorVersion) {
  const std::string name = "v" + std::to_string(MYLOS_VERSION_MAJOR) + "_" + std::to_string(MYLOS_VERSION_MINOR);
  const std::string mangled = typeid(mylos::Error).name();  // N5mylos4v0_15ErrorE
  EXPECT_EQ(mangled, "N5mylos" + std::to_string(name.size()) + name + "5ErrorE");
  EXPECT_TRUE((std::is_same_v<mylos::Error, mylos::MYLOS_ABI::Error>));
}

}  // namespace
}  // namespace mylos_test
