// SPDX-License-Identifier: MIT
#include <mylos/base/version.hpp>

#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/version_numbers.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

TEST(Version, IsThatOfTheHeaders) {
  EXPECT_EQ(mylos::version(), dotted(MYLOS_VERSION_MAJOR, MYLOS_VERSION_MINOR, MYLOS_VERSION_PATCH));
}

TEST(Version, ThisOneAndOlderAreEnough) {
  EXPECT_NO_THROW(mylos::require_version(mylos::version()));
  EXPECT_NO_THROW(mylos::require_version("0"));
  EXPECT_NO_THROW(mylos::require_version("0.0.99"));
  EXPECT_NO_THROW(mylos::require_version(std::to_string(MYLOS_VERSION_MAJOR)));
}

TEST(Version, NewerIsRefusedByNumbersNotByText) {
  const std::string later = dotted(MYLOS_VERSION_MAJOR, MYLOS_VERSION_MINOR + 10, 0);
  EXPECT_TRUE(contains(thrown<mylos::VersionError>([&] { mylos::require_version(later); }),
                       {"too old", mylos::version(), later, "install"}));
  for (const auto& newer : {dotted(MYLOS_VERSION_MAJOR, MYLOS_VERSION_MINOR, MYLOS_VERSION_PATCH + 1),
                            std::to_string(MYLOS_VERSION_MAJOR + 1)}) {
    EXPECT_THROW(mylos::require_version(newer), mylos::VersionError) << newer;
  }
}

TEST(Version, WhatIsNoVersionIsRefused) {
  for (const char* text : {"", "one", "1.", "1..2", ".1", "1.2.3.4", "-1", "1.-2", "v1", "1.2 ", "99999999999"}) {
    EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { mylos::require_version(text); }), {"no version", text}))
        << text;
  }
}

}  // namespace
}  // namespace mylos_test
