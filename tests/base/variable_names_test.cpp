// SPDX-License-Identifier: MIT
#include "base/variable_names.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::detail::qualified_name;

TEST(VariableNames, AreThoseOfTheText) {
  EXPECT_EQ(qualified_name("c"), "c");
  EXPECT_EQ(qualified_name("_ZN7physics4deep5scaleE"), "physics::deep::scale");
  EXPECT_EQ(qualified_name("_ZL5level"), "level") << "static, by the host's compilers";
  EXPECT_EQ(qualified_name("_ZN7physicsL5levelE"), "physics::level");
  EXPECT_EQ(qualified_name("_ZN34_INTERNAL_00000000_4_k_cu_3f09b2727physics5levelE"), "physics::level")
      << "static, by NVRTC";
  EXPECT_EQ(qualified_name("_Z5tableIiE"), "table<int>");
}

TEST(VariableNames, AreEmptyForAllElse) {
  for (const char* symbol :
       {"_Z4pushPfi", "_ZZ4pushE5local", "_ZZ4pushPfE5local", "_ZN12_GLOBAL__N_15levelE", "_ZTV5Shape", "completed.0",
        ".nv.reservedSmem.offset0", "$str", "__dso_handle", "mylos_parameters"}) {
    EXPECT_EQ(qualified_name(symbol), "") << symbol;
  }
}

TEST(VariableNames, AreListedWhereOneIsMissing) {
  const auto message = [](const std::vector<std::string>& others) {
    return thrown<mylos::LookupError>([&] { mylos::detail::throw_no_variable("push.cu", "scal", others); });
  };
  EXPECT_TRUE(contains(message({"scale", "app::level"}), {"push.cu", "'scal'", "it has app::level, scale"}));
  EXPECT_TRUE(contains(message({}), {"'scal'", "it has none"}));
}

}  // namespace
}  // namespace mylos_test
