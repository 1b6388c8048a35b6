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
