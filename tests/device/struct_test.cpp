// SPDX-License-Identifier: MIT
#include <mylos/device/struct.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "device/emulated.hpp"

namespace app {

struct Inner {
  char tag;
  double value;
};
struct Particle {
  double x[3];
  float weight;
  Inner inner;
  unsigned char last;
};
MYLOS_STRUCT(Inner, tag, value);
MYLOS_STRUCT(Particle, weight, x, inner, last);  // any order

struct Unlisted { int a; };

struct Wide {
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
  int c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9;
};
MYLOS_STRUCT(Wide, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3, c4,
             c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9);

}  // namespace app

namespace mylos_test {
namespace {

using mylos::device::Field;
using mylos::device::struct_fields;

static_assert(mylos::device::has_struct_fields_v<app::Particle>);
static_assert(!mylos::device::has_struct_fields_v<app::Unlisted>);
static_assert(std::is_same_v<decltype(struct_fields<app::Particle>()),
                             std::tuple<Field<float>, Field<double[3]>, Field<app::Inner>, Field<unsigned char>>>);
static_assert(std::tuple_size_v<decltype(struct_fields<app::Wide>())> == 40);

template <class S>
std::vector<std::string> described() {
  std::vector<std::string> all;
  std::apply([&](const auto&... field) { (all.push_back(field.name + ("@" + std::to_string(field.offset))), ...); },
             struct_fields<S>());
  return all;
}

TEST(StructFields, AreNamedAndPlaced) {
  EXPECT_EQ(described<app::Inner>(), (std::vector<std::string>{"tag@0", "value@8"}));
  EXPECT_EQ(described<app::Particle>(), (std::vector<std::string>{"weight@24", "x@0", "inner@32", "last@48"}));
  EXPECT_EQ(described<app::Wide>().back(), "d9@156");
}

TEST(StructFields, AreNothingInKernelText) {
  const DeviceVector<int> x({1});
  run_emulated(R"(#include <mylos/device/struct.hpp>
namespace app { struct S { int a, b; }; MYLOS_STRUCT(S, a, b); }
extern "C" __global__ void k(int* x) { app::S s{x[0], 2}; x[0] = s.a + s.b; })",
               "k", {}, x.data());
  EXPECT_EQ(x.values(), std::vector<int>{3});
}

}  // namespace
}  // namespace mylos_test
