// SPDX-License-Identifier: MIT
#include <mylos/kernel/device_array.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include <mylos/core/conversions.hpp>
#include <mylos/device/array.hpp>
#include <mylos/kernel/bundle.hpp>
#include <mylos/kernel/cuda_kernel.hpp>

#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using mylos::device_array;
template <class Layout = Kokkos::LayoutLeft>
using Matrix = Kokkos::View<double**, Layout, mylos::DeviceSpace>;

/// What the kernel below knows by the same name.
struct Grid {
  mylos::Array<double, 2> field;
  mylos::Array<const double, 1> weights;
  double factor;
};

constexpr const char* text = R"(
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>
struct Grid { mylos::Array<double, 2> field; mylos::Array<const double, 1> weights; double factor; };
extern "C" __global__ void weigh(Grid grid) {
  MYLOS_THREAD_2D(i, j, grid.field.extent(0), grid.field.extent(1));
  grid.field(i, j) = grid.factor * grid.weights(j) + 10.0 * i;
})";

class DeviceArray : public ::testing::Test {
 protected:
  Kokkos::View<double*, mylos::DeviceSpace> random_weights(std::size_t n) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Kokkos::View<double*, mylos::HostSpace> weights("weights", n);
    for (std::size_t i = 0; i < n; ++i) weights(i) = uniform(random_);
    return mylos::to_device(weights);
  }
  template <class F, class W>
  static void expect_weighed(const F& field, const W& weights, double factor) {
    const auto found = mylos::to_host(field);
    const auto by = mylos::to_host(weights);
    for (std::size_t i = 0; i < found.extent(0); ++i) {
      for (std::size_t j = 0; j < found.extent(1); ++j) {
        ASSERT_EQ(found(i, j), factor * by(j) + 10.0 * static_cast<double>(i)) << i << ", " << j;
      }
    }
  }

  const mylos::CudaKernel weigh_{text, "weigh", {.options = {"-fmad=false"}}};

 private:
  std::mt19937_64 random_{random_seed()};
};

TEST_F(DeviceArray, HoldsTheViewsElementsOfAnyLayout) {
  const auto weights = random_weights(7);
  const auto run = [&](const auto& field) {
    const auto array = device_array<double, 2>(field);
    static_assert(std::is_same_v<decltype(device_array<double, 2>(field)), mylos::Array<double, 2>>);
    EXPECT_EQ(array.data(), field.data());
    EXPECT_EQ(array.extent(1), 7);
    EXPECT_EQ(array.stride(0), static_cast<std::int64_t>(field.stride(0)));
    weigh_({.threads = {5, 7}}, Grid{array, device_array<const double, 1>(weights), 0.5});
    expect_weighed(field, weights, 0.5);
  };
  run(Matrix<Kokkos::LayoutLeft>("left", 5, 7));
  run(Matrix<Kokkos::LayoutRight>("right", 5, 7));
  const Matrix<Kokkos::LayoutRight> larger("larger", 9, 14);
  run(Kokkos::subview(larger, Kokkos::pair(2, 7), Kokkos::pair(4, 11)));
  static_assert(std::is_same_v<decltype(device_array<const double, 1>(weights)), mylos::Array<const double, 1>>);
}

TEST_F(DeviceArray, InABundleItIsNeverStale) {
  Matrix<> field("field", 4, 3);
  auto weights = random_weights(3);
  double factor = 2.0;
  const auto grid = mylos::arguments(
      [&] { return Grid{device_array<double, 2>(field), device_array<const double, 1>(weights), factor}; });
  const auto weigh_now = [&] {
    weigh_({.threads = {field.extent(0), field.extent(1)}}, grid);
    expect_weighed(field, weights, factor);
  };
  weigh_now();

  const Matrix<> first = field;
  const auto first_weights = weights;
  field = Matrix<>("another", 6, 5);
  weights = random_weights(5);
  factor = -3.0;
  weigh_now();
  expect_weighed(first, first_weights, 2.0);

  const Matrix<> second = field;
  Kokkos::resize(field, 8, 5);
  ASSERT_NE(field.data(), second.data());
  factor = 0.25;
  weigh_now();
  expect_weighed(second, weights, -3.0);

  Kokkos::realloc(field, 2, 5);
  weigh_now();
}

}  // namespace
}  // namespace mylos_test
