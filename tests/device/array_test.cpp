// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>

#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "device/emulated.hpp"
#include "support/contains.hpp"
#include "support/random_seed.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::Array;
using mylos::ContiguousArray;
using Left = Kokkos::LayoutLeft;
using Right = Kokkos::LayoutRight;

static_assert(std::is_trivially_copyable_v<Array<double, 8>> && std::is_standard_layout_v<Array<double, 8>>);
static_assert(std::is_trivially_copyable_v<ContiguousArray<int, 2>> &&
              std::is_standard_layout_v<ContiguousArray<int, 2>>);
static_assert(sizeof(Array<float, 1>) == 24 && sizeof(Array<float, 8>) == 136 && sizeof(ContiguousArray<int, 2>) == 40);

// What must not convert: another rank, another element, const into non-const.
template <class A, class V>
constexpr bool takes = std::is_convertible_v<V, A>;
static_assert(takes<Array<double, 2>, Kokkos::View<double**>> && takes<Array<const double, 2>, Kokkos::View<double**>>);
static_assert(takes<Array<const double, 2>, Kokkos::View<const double**>>);
static_assert(!takes<Array<double, 2>, Kokkos::View<const double**>> &&
              !takes<Array<double, 2>, Kokkos::View<float**>>);
static_assert(!takes<Array<double, 1>, Kokkos::View<double**>> && !takes<Array<double, 2>, int>);
static_assert(takes<Array<const double, 2>, Array<double, 2>> && !takes<Array<double, 2>, Array<const double, 2>>);
static_assert(takes<Array<double, 2>, ContiguousArray<double, 2>> &&
              !takes<ContiguousArray<double, 2>, Array<double, 2>>);
static_assert(takes<ContiguousArray<const double, 2>, ContiguousArray<double, 2>>);

template <class V>
void fill(const V& view) {
  std::iota(view.data(), view.data() + view.span(), 0);
}

template <class V>
void expect_same_elements_3(const V& view) {
  const Array<int, 3> array = view;
  EXPECT_EQ(array.data(), view.data());
  EXPECT_EQ(array.size(), static_cast<std::int64_t>(view.size()));
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(array.extent(axis), static_cast<std::int64_t>(view.extent(axis)));
  for (std::size_t i = 0; i < view.extent(0); ++i) {
    for (std::size_t j = 0; j < view.extent(1); ++j) {
      for (std::size_t k = 0; k < view.extent(2); ++k) EXPECT_EQ(&array(i, j, k), &view(i, j, k));
    }
  }
}

TEST(Array, HasTheElementsOfViewsOfAnyLayoutAndStride) {
  const Kokkos::View<int***, Left> left("left", 3, 4, 5);
  const Kokkos::View<int***, Right> right("right", 3, 4, 5);
  expect_same_elements_3(left);
  expect_same_elements_3(right);
  const auto some = [](int end) { return Kokkos::pair<int, int>(1, end); };
  expect_same_elements_3(Kokkos::subview(left, some(2), some(4), some(3)));
  expect_same_elements_3(Kokkos::subview(right, some(2), some(4), some(3)));
  const Kokkos::View<int****, Right> four("four", 2, 3, 4, 5);
  expect_same_elements_3(Kokkos::subview(four, Kokkos::ALL, 1, Kokkos::ALL, some(4)));
}

TEST(Array, ReachesEightAxes) {
  const Kokkos::View<int********, Left> view("eight", 2, 2, 3, 2, 1, 2, 2, 2);
  const Array<int, 8> array = view;
  EXPECT_EQ(&array(1, 0, 2, 1, 0, 1, 0, 1), &view(1, 0, 2, 1, 0, 1, 0, 1));
  EXPECT_EQ(array.size(), 192);
}

TEST(ContiguousArray, IsVisitedInTheOrderOfMemory) {
  const Kokkos::View<int**, Left> left("left", 3, 4);
  fill(left);
  const ContiguousArray<const int, 2> array = ContiguousArray<int, 2>(left);
  for (int flat = 0; flat < 12; ++flat) EXPECT_EQ(array[flat], flat);
  EXPECT_EQ(array(2, 3), 11);
  EXPECT_EQ(array(1, 0), 1);
  int data[6] = {0, 1, 2, 3, 4, 5};
  const ContiguousArray<int, 2> rows(data, {2, 3});
  EXPECT_EQ(rows(1, 0), 3);
  EXPECT_EQ(rows.stride(0), 3);
  const ContiguousArray<int, 1> row(data, {6});
  EXPECT_EQ(row(4) + row[1], 5);
}

TEST(ContiguousArray, RefusesViewsWithGapsByName) {
  const Kokkos::View<int**, Left> left("field", 3, 4);
  const auto row = Kokkos::subview(left, 1, Kokkos::ALL);
  EXPECT_TRUE(contains(thrown<std::invalid_argument>([&] { static_cast<void>(ContiguousArray<int, 1>(row)); }),
                       {"View 'field'", "not contiguous", "mylos::Array"}));
}

TEST(Array, IsTheSameInAKernel) {
  std::mt19937_64 random(random_seed());
  std::vector<double> values(2 * 3 * 5);
  for (double& value : values) value = std::uniform_real_distribution<double>(-1, 1)(random);
  const DeviceVector<double> in(values);
  const DeviceVector<double> out(std::vector<double>(values.size(), 0.0));
  const Array<const double, 3> left(in.data(), {2, 3, 5}, {1, 2, 6});
  const ContiguousArray<double, 3> right(out.data(), {2, 3, 5});
  const DeviceVector<long long> sizes({0, 0});
  run_emulated(R"(#include <mylos/device/array.hpp>
extern "C" __global__ void transpose(mylos::Array<const double, 3> a, mylos::ContiguousArray<double, 3> b, long long* sizes) {
  const int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z;
  if (i < a.extent(0) && j < a.extent(1) && k < a.extent(2)) b(i, j, k) = a(i, j, k);
  sizes[0] = a.size();
  sizes[1] = b.stride(0);
})",
               "transpose", {.grid = {1, 1, 1}, .block = {4, 4, 8}}, left, right, sizes.data());
  EXPECT_EQ(sizes.values(), (std::vector<long long>{30, 15}));
  const auto result = out.values();
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(result[(i * 3 + j) * 5 + k], values[i + 2 * j + 6 * k]);
    }
  }
}

}  // namespace
}  // namespace mylos_test
