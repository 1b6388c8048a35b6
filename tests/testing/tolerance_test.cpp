// SPDX-License-Identifier: MIT
#include <mylos/testing/tolerance.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <mylos/testing/agree.hpp>

#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using mylos::testing::Tolerance;

// What a comparison of one element says.
template <class T>
std::string difference(T host, T device, const Tolerance& tolerance = {}) {
  const Kokkos::View<T*, mylos::HostSpace> a("a", 1), b("b", 1);
  a(0) = host;
  b(0) = device;
  const mylos::ArgumentPack left(a), right(b);
  return mylos::testing::detail::difference("kernel", left, right, tolerance, 1);
}

TEST(Tolerance, NothingGivenMeansEqual) {
  EXPECT_EQ(difference(1.0, 1.0), "");
  EXPECT_NE(difference(1.0, std::nextafter(1.0, 2.0)), "");
  EXPECT_EQ(difference(0.0, -0.0), "");
  EXPECT_NE(difference(3, 4, {.relative = 1, .absolute = 10}), "") << "integers are exact";
  EXPECT_NE(difference(true, false), "");
}

TEST(Tolerance, NotANumberAgreesWithItselfOnly) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const Tolerance wide = {.relative = 10, .absolute = 1e300, .ulp = std::numeric_limits<int>::max()};
  EXPECT_EQ(difference(nan, -nan), "");
  EXPECT_NE(difference(nan, 1.0, wide), "");
  EXPECT_NE(difference(infinity, 1e308, wide), "");
  EXPECT_NE(difference(infinity, -infinity, wide), "");
  EXPECT_EQ(difference(infinity, infinity), "");
}

TEST(Tolerance, UlpsAreCountedInTheViewsType) {
  std::mt19937_64 random(random_seed());
  std::normal_distribution<double> normal;
  for (int n = 0; n < 200; ++n) {
    const double a = normal(random);
    double b = a;
    for (int step = 0; step < 3; ++step) b = std::nextafter(b, 1e300);
    EXPECT_EQ(difference(a, b, {.ulp = 3}), "") << a;
    EXPECT_NE(difference(a, b, {.ulp = 2}), "") << a;
  }
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(difference(tiny, -tiny, {.ulp = 2}), "") << "across zero";
  EXPECT_NE(difference(tiny, -tiny, {.ulp = 1}), "");
  EXPECT_EQ(difference(1.0F, std::nextafter(1.0F, 2.0F), {.ulp = 1}), "");
}

TEST(Tolerance, ComplexNumbersAreComparedByParts) {
  using Complex = Kokkos::complex<double>;
  EXPECT_EQ(difference(Complex(1, 2), Complex(1, 2)), "");
  EXPECT_NE(difference(Complex(1, 2), Complex(1, 2.5), {.absolute = 0.4}), "");
  EXPECT_EQ(difference(Complex(1, 2), Complex(1, 2.5), {.absolute = 0.5}), "");
}

TEST(Tolerance, StructsAreComparedByTheirBytes) {
  struct Cell { int a, b; };
  EXPECT_EQ(difference(Cell{1, 2}, Cell{1, 2}), "");
  EXPECT_NE(difference(Cell{1, 2}, Cell{1, 3}), "");
}

}  // namespace
}  // namespace mylos_test
