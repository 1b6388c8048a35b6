// SPDX-License-Identifier: MIT
#include <mylos/testing/tolerance.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <mylos/device/complex.hpp>
#include <mylos/device/struct.hpp>
#include <mylos/testing/agree.hpp>

#include "support/contains.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using mylos::testing::Tolerance;

template <class T>
using HostView = Kokkos::View<T*, mylos::HostSpace>;

template <class T>
std::string difference_of(const HostView<T>& host, const HostView<T>& device, const Tolerance& tolerance = {}) {
  const mylos::ArgumentPack left(host), right(device);
  return mylos::testing::detail::difference("kernel", left, right, tolerance, 1);
}

// What a comparison of one element says.
template <class T>
std::string difference(T host, T device, const Tolerance& tolerance = {}) {
  const HostView<T> a("a", 1), b("b", 1);
  a(0) = host;
  b(0) = device;
  return difference_of(a, b, tolerance);
}

struct Charge {
  char kind;
  double amount;
};
struct Body {
  char kind;
  double mass;
  float v[2];
  mylos::complex<double> phase;
  Charge charge;
};
MYLOS_STRUCT(Charge, kind, amount);
MYLOS_STRUCT(Body, kind, mass, v, phase, charge);

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

TEST(Tolerance, BothPartsOfComplexNumbersAreTold) {
  using Complex = mylos::complex<float>;
  EXPECT_TRUE(
      contains(difference(Complex(1, 2), Complex(1, std::nextafter(2.0F, 3.0F))),
               {"'a' at (0): real part: host 1, device 1, 0 apart, 0 ULP; imaginary part: host 2, device 2.0000",
                "2.38e-07 apart, 1 ULP (1 of 1 elements differ)"}));
}

TEST(Tolerance, FieldsOfStructsAreComparedByTheirTypes) {
  const Body body = {'a', 1.5, {2, 3}, {4, 5}, {'b', 6}};
  const auto with = [&](auto&& change) {
    Body other = body;
    change(other);
    return difference(body, other, {.absolute = 0.25});
  };
  EXPECT_EQ(with([](Body&) {}), "");
  EXPECT_EQ(with([](Body& b) { b.mass = 1.75, b.v[1] = 2.75F, b.phase.imag(5.25), b.charge.amount = 6.25; }), "");
  EXPECT_TRUE(contains(with([](Body& b) { b.mass = 2, b.v[1] = 4; }),
                       {"'a' at (0): field 'mass': host 1.5, device 2, 0.5 apart, 2251799813685248 ULP (1 of 1"}));
  EXPECT_TRUE(contains(with([](Body& b) { b.v[1] = 4; }), {"at (0): field 'v[1]': host 3, device 4, 1 apart"}));
  EXPECT_TRUE(contains(with([](Body& b) { b.phase = {4, 6}; }), {"field 'phase': real part: host 4, device 4", "ULP"}));
  EXPECT_TRUE(contains(with([](Body& b) { b.charge.kind = 'c'; }), {"field 'charge.kind': host 98, device 99 (1 of"}))
      << "integers are exact";
}

TEST(Tolerance, WhatLiesBetweenFieldsDoesNotCount) {
  const HostView<Body> a("a", 1), b("b", 1);
  for (const auto& [view, padding] : {std::pair(a, 0), std::pair(b, 255)}) {
    std::memset(static_cast<void*>(view.data()), padding, sizeof(Body));
    Body& body = view(0);
    body.kind = body.charge.kind = 'a';
    body.mass = body.charge.amount = 2;
    body.v[0] = body.v[1] = 3;
    body.phase = 4;
  }
  ASSERT_NE(std::memcmp(a.data(), b.data(), sizeof(Body)), 0);
  EXPECT_EQ(difference_of(a, b), "");
}

TEST(Tolerance, OtherClassesAreComparedByTheirBytes) {
  struct Cell { int a, b; };
  EXPECT_EQ(difference(Cell{1, 2}, Cell{1, 2}), "");
  EXPECT_TRUE(contains(difference(Cell{1, 2}, Cell{1, 3}, {.absolute = 10}),
                       {"at (0): bytes from 4 of 8 in hex: host 02 00 00 00, device 03 00 00 00 (1 of 1"}));
  struct Text { unsigned char letters[20]; };
  EXPECT_TRUE(contains(difference(Text{"0123456789"}, Text{"01x3456789"}),
                       {"bytes from 2 of 20 in hex: host 32 33 34 35 36 37 38 39, device 78 33 34 35 36 37 38 39 ("}))
      << "as many as a line has room for";
}

}  // namespace
}  // namespace mylos_test
