// SPDX-License-Identifier: MIT
// Tests that run on both sides, and tests that need a GPU.
#pragma once

#include <gtest/gtest.h>

#include <mylos/base/abi.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/core/spaces.hpp>

namespace mylos::inline MYLOS_ABI::testing {

/// For TYPED_TEST_SUITE: every test once on the host and once on the device.
using Spaces = ::testing::Types<HostSpace, DeviceSpace>;

/// Whether MYLOS_REQUIRE_CUDA=1 says that a machine is there to test CUDA, so that a missing GPU is a failure.
[[nodiscard]] MYLOS_EXPORT bool cuda_is_required();
/// Why CUDA cannot be used here.
[[nodiscard]] MYLOS_EXPORT const char* no_cuda_message();

}  // namespace mylos::inline MYLOS_ABI::testing

/// First line of a test that needs a GPU: skips it where there is none, or fails it with MYLOS_REQUIRE_CUDA=1.
#define MYLOS_SKIP_WITHOUT_CUDA()                                                                    \
  do {                                                                                               \
    if (!::mylos::cuda_available()) {                                                                \
      if (::mylos::testing::cuda_is_required()) GTEST_FAIL() << ::mylos::testing::no_cuda_message(); \
      GTEST_SKIP() << ::mylos::testing::no_cuda_message();                                           \
    }                                                                                                \
  } while (false)
