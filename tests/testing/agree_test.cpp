// SPDX-License-Identifier: MIT
#include <mylos/testing/agree.hpp>

#include <cstdint>
#include <string>
#include <tuple>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::testing::agree;
using mylos::testing::Tolerance;

// x(i, j) = i + a on the host; the port of `text` on the device.
const auto fill = [](std::int64_t i, std::int64_t j, const auto& x, double a) { x(i, j) = static_cast<double>(i) + a; };

auto kernel_with(const std::string& statement) {
  return mylos::Kernel("fill", fill,
                       mylos::CudaKernel("#include <mylos/device/array.hpp>\n#include <mylos/device/index.hpp>\n"
                                         "extern \"C\" __global__ void fill(mylos::Array<double, 2> x, double a) {\n"
                                         "  MYLOS_THREAD_2D(i, j, x.extent(0), x.extent(1));\n  " +
                                             statement + "\n}",
                                         "fill", {.block3 = {8, 8}}));
}

const auto make = []<class Space>(Space, std::uint64_t seed) {
  return std::tuple(Kokkos::View<double**, Space>("field", 5, 6), 0.5 + static_cast<double>(seed));
};

TEST(Agree, EqualResultsAgree) {
  const auto kernel = kernel_with("x(i, j) = i + a;");
  EXPECT_TRUE(agree(kernel, make));
  const bool same = agree(kernel, make, {.relative = 1e-15}, {.threads = {5, 6}, .calls = 2, .seed = 7});
  EXPECT_TRUE(same);
  agree(kernel, make);
}

TEST(Agree, ADifferenceNamesArgumentIndexValuesAndSeed) {
  const auto kernel = kernel_with("x(i, j) = i + a + (i == 3 && j == 4 ? 0.25 : 0);");
  const std::string text = agree(kernel, make, {}, {.seed = 2}).difference();
  EXPECT_EQ(text,
            "kernel 'fill': functor and port disagree (seed 2)\n"
            "  argument 1 'field' at (3, 4): host 5.5, device 5.75, 0.25 apart, 281474976710656 ULP (1 of 30 elements "
            "differ)");
  EXPECT_FALSE(agree(kernel, make));
  EXPECT_FALSE(agree(kernel, make, {.relative = 0.01}));
  EXPECT_TRUE(agree(kernel, make, {.relative = 0.06}));
  EXPECT_TRUE(agree(kernel, make, {.absolute = 0.25}));
  EXPECT_TRUE(contains(agree(kernel_with("x(i, j) = 0;"), make).difference(), {"30 of 30 elements"}));
}

// (1 + 2^-12)^2 - 1 - 2^-11, whose product has one bit too many for a float: 0 where it is rounded, 2^-24 where a
// compiler makes one operation of product and difference, as those for GPUs do.
TEST(Agree, FusedProductsNeedATolerance) {
  const mylos::Kernel kernel(
      "square",
      [](std::int64_t i, const auto& x) {
        const volatile float product = x(i) * x(i);
        x(i) = product - 1.0F - 0x1p-11F;
      },
      mylos::CudaKernel("extern \"C\" __global__ void square(float* x) {\n"
                        "  x[threadIdx.x] = fmaf(x[threadIdx.x], x[threadIdx.x], -1.0f) - 0x1p-11f;\n}",
                        "square", {.block = 4}));
  const auto numbers = []<class Space>(Space, std::uint64_t) {
    const Kokkos::View<float*, Space> x("x", 4);
    Kokkos::deep_copy(x, 1.0F + 0x1p-12F);
    return std::tuple(x);
  };
  EXPECT_TRUE(contains(agree(kernel, numbers).difference(),
                       {"'x' at (0): host 0, device 5.9604645e-08, 5.96e-08 apart, 864026624 ULP (4 of 4"}));
  EXPECT_FALSE(agree(kernel, numbers, {.relative = 0.5})) << "of nothing is nothing";
  EXPECT_TRUE(agree(kernel, numbers, {.absolute = 0x1p-24}));
  EXPECT_TRUE(agree(kernel, numbers, {.ulp = 864026624}));
  EXPECT_FALSE(agree(kernel, numbers, {.ulp = 864026623}));
}

TEST(Agree, ADifferenceThatNobodyLooksAtFailsTheTest) {
  EXPECT_NONFATAL_FAILURE(agree(kernel_with("x(i, j) = 1e9;"), make), "'field'");
  EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(agree(kernel_with("x(i, j) = 1e9;"), make)), "at (0, 0)");
}

TEST(Agree, BundlesAreArguments) {
  const auto bundle = []<class Space>(Space space, std::uint64_t seed) {
    const auto [view, a] = make(space, seed);
    return mylos::arguments(mylos::arguments(view), a);
  };
  EXPECT_TRUE(agree(kernel_with("x(i, j) = i + a;"), bundle));
  EXPECT_FALSE(agree(kernel_with("x(i, j) = i - a;"), bundle));
}

TEST(Agree, TheMirrorsLayoutDoesNotMatter) {
  const auto rows = []<class Space>(Space, std::uint64_t) {
    return std::tuple(Kokkos::View<double**, Kokkos::LayoutRight, Space>("rows", 5, 6), 1.0);
  };
  EXPECT_TRUE(agree(kernel_with("x(i, j) = i + a;"), rows));
}

TEST(Agree, WithoutAPortThereIsNothingToCompare) {
  const mylos::Kernel kernel("alone", fill);
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { agree(kernel, make); }), {"kernel 'alone'", "alone.cu"}));
}

}  // namespace
}  // namespace mylos_test
