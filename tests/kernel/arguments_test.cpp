// SPDX-License-Identifier: MIT
#include <mylos/kernel/arguments.hpp>

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mylos_test {
namespace {

using mylos::LayoutKind;
using mylos::ValueKind;

struct Particle { double x, v; };
struct Charge {
  float q;
  bool is_fixed;
};
struct Body {
  double x[2][2];
  Charge charges[2];
  const double* path;
  mylos::Array<const Charge, 3> field;
};
MYLOS_STRUCT(Charge, q, is_fixed);
MYLOS_STRUCT(Body, x, charges, path, field);
struct NotCopyable { std::string text; };

TEST(Arguments, AViewIsDescribedByTypeAndByValue) {
  Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace> matrix("matrix", 5, 3);
  const auto row = Kokkos::subview(matrix, 2, Kokkos::ALL);
  const Kokkos::View<const float**, Kokkos::LayoutLeft, Kokkos::HostSpace> constant = matrix;
  const mylos::ArgumentPack pack(matrix, row, constant);
  const mylos::Arguments arguments = pack;
  ASSERT_EQ(arguments.size(), 3);

  EXPECT_EQ(arguments[0].data, matrix.data());
  EXPECT_EQ(arguments[0].label(), "matrix");
  EXPECT_EQ(arguments[0].extent(0), 5);
  EXPECT_EQ(arguments[0].extent(1), 3);
  EXPECT_EQ(arguments[0].extent(2), 1) << "beyond the rank";
  EXPECT_EQ(arguments[0].strides[1], 5);
  EXPECT_EQ(arguments[0].type->kind, ValueKind::float32);
  EXPECT_EQ(arguments[0].type->layout, LayoutKind::left);
  EXPECT_TRUE(arguments[0].type->on_host);
  EXPECT_FALSE(arguments[0].type->on_device) << "a build without CUDA: the device reaches no host memory";
  EXPECT_FALSE(arguments[0].type->is_const);

  EXPECT_EQ(arguments[1].type->rank, 1);
  EXPECT_EQ(arguments[1].strides[0], 5);
  EXPECT_EQ(arguments[1].data, &matrix(2, 0));
  EXPECT_TRUE(arguments[2].type->is_const);
}

TEST(Arguments, AValueIsTheCallersObject) {
  const Particle particle{1, 2};
  const NotCopyable text{"x"};
  const mylos::ArgumentPack pack(particle, 3, text);
  const mylos::Arguments arguments = pack;
  EXPECT_EQ(arguments[0].data, &particle);
  EXPECT_EQ(arguments[0].type->size, sizeof(Particle));
  EXPECT_TRUE(arguments[0].type->is_trivially_copyable);
  EXPECT_FALSE(arguments[0].type->is_view);
  EXPECT_EQ(arguments[1].type->kind, ValueKind::int32);
  EXPECT_EQ(arguments[1].label(), "");
  EXPECT_FALSE(arguments[2].type->is_trivially_copyable);
}

TEST(Arguments, ClassesAreTakenApartIntoValues) {
  const mylos::ArgumentPack pack(Body{}, Kokkos::View<Body*, Kokkos::HostSpace>("bodies", 1), Particle{}, 2.5F);
  const mylos::Arguments arguments = pack;
  const auto parts = mylos::detail::parts_of(*arguments[0].type);
  std::vector<std::string> places;
  for (const auto& part : parts) places.push_back(part.name + '@' + std::to_string(part.offset));
  EXPECT_EQ(places, (std::vector<std::string>{"x[0][0]@0", "x[0][1]@8", "x[1][0]@16", "x[1][1]@24", "charges[0].q@32",
                                              "charges[0].is_fixed@36", "charges[1].q@40", "charges[1].is_fixed@44",
                                              "path@48", "field@56"}));
  EXPECT_EQ(parts.at(3).type->kind, ValueKind::float64);
  EXPECT_EQ(parts.at(5).type->kind, ValueKind::boolean);
  EXPECT_EQ(parts.at(8).type->kind, ValueKind::other);
  EXPECT_EQ(parts.at(8).elements, nullptr) << "nobody knows how many there are";
  EXPECT_EQ(parts.at(9).rank, 3);
  EXPECT_EQ(mylos::detail::parts_of(*parts.at(9).elements).at(1).name, "is_fixed");
  EXPECT_EQ(mylos::detail::parts_of(*arguments[1].type).size(), parts.size()) << "of the elements of a View";
  for (const std::size_t of_itself : {2U, 3U}) {
    const auto whole = mylos::detail::parts_of(*arguments[of_itself].type);
    ASSERT_EQ(whole.size(), 1U);
    EXPECT_EQ(whole[0].name, "");
    EXPECT_EQ(whole[0].type, arguments[of_itself].type);
  }
}

TEST(Arguments, OneListOfTypesIsOneObject) {
  Kokkos::View<double*, Kokkos::HostSpace> x("x", 1), y("y", 2);
  const mylos::ArgumentPack first(x, 1.0), second(y, 2.0);
  const mylos::ArgumentPack other(x, 1.0F);
  EXPECT_EQ(mylos::Arguments(first).types().data(), mylos::Arguments(second).types().data());
  EXPECT_NE(mylos::Arguments(first).types().data(), mylos::Arguments(other).types().data());
}

TEST(Arguments, EveryElementIsVisitedWhereItIs) {
  Kokkos::View<int***, Kokkos::LayoutLeft, Kokkos::HostSpace> cube("cube", 3, 2, 4);
  const auto slice = Kokkos::subview(cube, Kokkos::ALL, 1, Kokkos::ALL);
  const mylos::ArgumentPack pack(slice, cube);
  const mylos::Arguments arguments(pack);
  const mylos::Argument& view = arguments[0];
  std::vector<std::pair<std::int64_t, std::int64_t>> visited;
  mylos::for_each_index(view, [&](const mylos::ElementIndex& index) {
    visited.emplace_back(index[0], index[1]);
    EXPECT_EQ(static_cast<const void*>(mylos::element_address(view, index)), &slice(index[0], index[1]));
  });
  ASSERT_EQ(visited.size(), 12);
  EXPECT_EQ(visited[1], std::pair(std::int64_t{0}, std::int64_t{1})) << "the last index is the fastest";
  EXPECT_EQ(visited.back(), std::pair(std::int64_t{2}, std::int64_t{3}));

  const Kokkos::View<int**, Kokkos::HostSpace> empty("empty", 3, 0);
  const mylos::ArgumentPack nothing(empty);
  mylos::for_each_index(mylos::Arguments(nothing)[0], [](const mylos::ElementIndex&) { ADD_FAILURE(); });
}

TEST(Arguments, ThereMayBeNone) {
  const mylos::ArgumentPack<> pack;
  EXPECT_EQ(mylos::Arguments(pack).size(), 0);
}

}  // namespace
}  // namespace mylos_test
