// SPDX-License-Identifier: MIT
#include <mylos/base/error.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace mylos_test {
namespace {

template <class E>
class ErrorTree : public ::testing::Test {};

using Children = ::testing::Types<mylos::BackendError, mylos::SpaceError, mylos::ShapeError, mylos::SignatureError,
                                  mylos::RangeError, mylos::LookupError, mylos::ValueError, mylos::LaunchError,
                                  mylos::CudaError, mylos::TransferError, mylos::CacheError, mylos::MpiError,
                                  mylos::PetscError, mylos::Hdf5Error, mylos::VersionError>;
TYPED_TEST_SUITE(ErrorTree, Children);

TYPED_TEST(ErrorTree, KeepsMessageAndPlaceWhenCaughtAsAParent) {
  static_assert(std::is_base_of_v<std::runtime_error, mylos::Error>);
  const unsigned line = __LINE__ + 2;
  try {
    throw TypeParam("a: b: c");
  } catch (const mylos::Error& error) {
    EXPECT_STREQ(error.what(), "a: b: c");
    EXPECT_NE(dynamic_cast<const TypeParam*>(&error), nullptr);
    EXPECT_EQ(error.where().line(), line);
    EXPECT_NE(std::string(error.where().file_name()).find("error_test.cpp"), std::string::npos);
  }
}

TEST(Error, CompileErrorCarriesTheLog) {
  const mylos::CompileError error("kernel 'push' did not compile", "push.cu:3: error");
  EXPECT_EQ(error.log(), "push.cu:3: error");
  EXPECT_STREQ(error.what(), "kernel 'push' did not compile");
}

TEST(Error, CopiesAreNoThrow) {
  // A copy that throws while an exception is in flight ends the program.
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<mylos::Error>);
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<mylos::ShapeError>);
}

}  // namespace
}  // namespace mylos_test
