// SPDX-License-Identifier: MIT
#include <mylos/kernel/debug.hpp>

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/kernel/cuda_kernel.hpp>

#include "kernel/own_process.hpp"
#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

TEST(Debug, ScopesNestOverTheProcessWideSwitch) {
  EXPECT_FALSE(mylos::debug());
  mylos::set_debug(true);
  EXPECT_TRUE(mylos::debug());
  {
    const mylos::ScopedDebug off(false);
    EXPECT_FALSE(mylos::debug());
    {
      const mylos::ScopedDebug on;
      EXPECT_TRUE(mylos::debug());
    }
    EXPECT_FALSE(mylos::debug());
    bool other = false;
    std::thread([&] { other = mylos::debug(); }).join();
    EXPECT_TRUE(other) << "a scope belongs to its thread";
  }
  mylos::set_debug(false);
  EXPECT_FALSE(mylos::debug());
}

TEST(Debug, DISABLED_OnInEnvironment) {
  EXPECT_TRUE(mylos::debug());
  end_alone();
}

TEST(Debug, DISABLED_BadInEnvironment) {
  EXPECT_TRUE(
      contains(thrown<mylos::ValueError>([] { static_cast<void>(mylos::debug()); }), {"MYLOS_DEBUG", "'maybe'"}));
  end_alone();
}

TEST(Debug, TheEnvironmentDecidesFirst) {
  EXPECT_EQ(run_alone("Debug.DISABLED_OnInEnvironment", "MYLOS_DEBUG", "1"), passed_alone);
  EXPECT_EQ(run_alone("Debug.DISABLED_BadInEnvironment", "MYLOS_DEBUG", "maybe"), passed_alone);
}

TEST(Debug, AKernelIsCompiledForIt) {
  const Kokkos::View<int*, mylos::DeviceSpace> x("x", 1);
  const char* const text = R"cuda(
extern "C" __global__ void told(int* x) {
#ifdef MYLOS_DEBUG
  x[0] = 1;
#else
  x[0] = 2;
#endif
})cuda";
  const auto told = [&](const mylos::CudaKernel& kernel) {
    kernel(x);
    int value = 0;
    Kokkos::deep_copy(value, Kokkos::subview(x, 0));
    return value;
  };
  const mylos::CudaKernel kernel(text, "told");
  EXPECT_EQ(told(kernel), 2);
  const mylos::ScopedDebug on;
  EXPECT_FALSE(kernel.is_compiled()) << "for debugging it is not";
  EXPECT_EQ(told(kernel), 1);
  EXPECT_EQ(told(mylos::CudaKernel(text, "told", {.debug = false})), 2) << "the kernel's own option wins";
}

}  // namespace
}  // namespace mylos_test
