// SPDX-License-Identifier: MIT
#include <mylos/cuda/library.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::cuda::Library;
using Names = std::vector<std::string>;

TEST(Library, IsTheFirstCandidateThatLoads) {
  const Library library(Names{"/nowhere/libm.so.6", "libm.so.6", "libc.so.6"});
  EXPECT_TRUE(contains(library.path(), {"libm.so.6"}));
  EXPECT_EQ(library.path().find("nowhere"), std::string::npos);
  EXPECT_EQ(library.function<double(double)>("fabs")(-3.0), 3.0);
}

TEST(Library, SaysForEveryCandidateWhyNot) {
  EXPECT_TRUE(contains(thrown<mylos::BackendError>([] { Library(Names{"/nowhere/a.so", "no-such-b.so"}); }),
                       {"/nowhere/a.so", "no-such-b.so", "; "}));
  EXPECT_TRUE(contains(thrown<mylos::BackendError>([] { Library(Names{}); }), {"no library to load"}));
}

TEST(Library, NamesTheFunctionThatItLacks) {
  const Library library(Names{"libm.so.6"});
  EXPECT_TRUE(
      contains(thrown<mylos::BackendError>([&] { static_cast<void>(library.function<void()>("no_such_function")); }),
               {"libm.so.6", "no function no_such_function", "too old"}));
}

TEST(Library, CanBeMoved) {
  Library first(Names{"libm.so.6"});
  Library second = std::move(first);
  EXPECT_EQ(second.function<double(double)>("fabs")(-2.0), 2.0);
  Library third(Names{"libc.so.6"});
  third = std::move(second);
  EXPECT_EQ(third.function<double(double)>("fabs")(-4.0), 4.0);
}

}  // namespace
}  // namespace mylos_test
