// SPDX-License-Identifier: MIT
// Variables of a kernel's text, set and read by name: on the device of this process.
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>
#include <mylos/kernel/debug.hpp>

#include "kernel/variable_cases.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;

class RunsOnTheDevice : public ::testing::Test {
 protected:
  static CudaKernel running(const std::string& text, const std::string& name) { return {text, name}; }
};

INSTANTIATE_TYPED_TEST_SUITE_P(OnTheDevice, KernelVariables, RunsOnTheDevice);

template <class T>
concept CanBeSet =
    requires(const CudaKernel& kernel, const T& value) { kernel.set_variable(std::string_view(), value); };
static_assert(CanBeSet<double> && CanBeSet<float[4]> && CanBeSet<std::array<float, 4>> && CanBeSet<double*>);
static_assert(!CanBeSet<std::span<float>> && !CanBeSet<std::string_view> && !CanBeSet<std::vector<float>>,
              "what would be copied is an address");

const std::string counting = R"(
__device__ int launches = 5;
extern "C" __global__ void counts(int* x) { *x = ++launches; })";

void launch(const CudaKernel& kernel) {
  kernel({.threads = 1, .block = 1}, Kokkos::View<int*, mylos::DeviceSpace>("x", 1));
}

TEST(CudaKernelVariables, AreThoseOfTheProgramThatALaunchUses) {
  const CudaKernel kernel(counting, "counts"), other(counting, "counts");
  EXPECT_FALSE(kernel.is_compiled());
  kernel.set_variable("launches", 20);
  EXPECT_TRUE(kernel.is_compiled());
  launch(kernel);
  EXPECT_EQ(other.variable<int>("launches"), 5);
  {
    const mylos::ScopedDebug debug(true);
    EXPECT_EQ(kernel.variable<int>("launches"), 5);
    kernel.set_variable("launches", 40);
  }
  EXPECT_EQ(kernel.variable<int>("launches"), 21);
  kernel.recompile();
  EXPECT_EQ(kernel.variable<int>("launches"), 5);
}

// The checks run another image of the kernel.
TEST(CudaKernelVariables, AreThoseOfCheckedLaunchesToo) {
  const CudaKernel kernel(counting, "counts");
  {
    const auto checked = mylos::emulator::with({.checks = mylos::emulator::all_checks()});
    launch(kernel);
    launch(kernel);
    EXPECT_EQ(kernel.variable<int>("launches"), 7) << "of launches before anybody asked";
    kernel.set_variable("launches", 40);
    launch(kernel);
  }
  launch(kernel);
  EXPECT_EQ(kernel.variable<int>("launches"), 42);
}

}  // namespace
}  // namespace mylos_test
