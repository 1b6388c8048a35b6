// SPDX-License-Identifier: MIT
#include <mylos/kernel/bundle.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/kernel/kernel.hpp>

#include "kernel/random_views.hpp"

namespace mylos_test {
namespace {

TEST(Bundle, IsTakenApartInOrder) {
  const auto inner = mylos::arguments(2, 3.5);
  const auto values = mylos::detail::call_flat([](const auto&... v) { return std::tuple(v...); }, 'a', inner,
                                               mylos::arguments(inner, 4L));
  EXPECT_EQ(values, std::tuple('a', 2, 3.5, 2, 3.5, 4L));
}

TEST(Bundle, ACallableIsCalledAtEachLaunch) {
  const auto values = [](const auto&... v) { return std::tuple<std::remove_cvref_t<decltype(v)>...>(v...); };
  int calls = 0, inner_calls = 0;
  const auto inner = [&] { return mylos::arguments(0.5, [&] { return 10 * ++inner_calls; }); };
  const auto bundle = mylos::arguments([&] { return ++calls; }, 'a', mylos::arguments(inner));
  EXPECT_EQ(mylos::detail::call_flat(values, bundle, 2L), std::tuple(1, 'a', 0.5, 10, 2L));
  EXPECT_EQ(mylos::detail::call_flat(values, bundle, 2L), std::tuple(2, 'a', 0.5, 20, 2L));
}

TEST(Bundle, ViewsOfRankZeroAreNotCalled) {
  const Kokkos::View<double, mylos::HostSpace> value("value");
  mylos::detail::call_flat([&](const auto& v) { EXPECT_EQ(v.data(), value.data()); }, mylos::arguments(value));
}

TEST(Bundle, AStructWithAnAddressIsNeverStale) {
  struct Grid { double* values; };
  Kokkos::View<double*, mylos::DeviceSpace> x("x", 2);
  const mylos::CudaKernel fill(
      "struct Grid { double* values; };\n"
      "extern \"C\" __global__ void fill(Grid grid, double a) { grid.values[blockIdx.x] = a; }",
      "fill", {.block = 1});
  const auto grid = mylos::arguments([&x] { return Grid{x.data()}; });
  fill({.threads = 2}, grid, 1.5);
  const auto old = x;
  x = Kokkos::View<double*, mylos::DeviceSpace>("longer", 3);
  fill({.threads = 3}, grid, 2.5);
  EXPECT_EQ(elements(old), (std::vector<double>{1.5, 1.5}));
  EXPECT_EQ(elements(x), (std::vector<double>{2.5, 2.5, 2.5}));
}

TEST(Bundle, AKernelGetsTheArguments) {
  const Kokkos::View<double*, mylos::HostSpace> x("x", 3);
  const mylos::Kernel fill("fill", [](std::int64_t i, const auto& out, double a, int b) { out(i) = a + b; });
  fill(mylos::arguments(x, 0.5), 2);
  EXPECT_EQ(elements(x), (std::vector<double>{2.5, 2.5, 2.5}));
  fill({.threads = 1}, mylos::arguments(mylos::arguments(x, 1.0), 2));
  EXPECT_EQ(elements(x), (std::vector<double>{3, 2.5, 2.5}));
}

TEST(Bundle, APortGetsTheArguments) {
  const Kokkos::View<double*, mylos::DeviceSpace> x("x", 3);
  const mylos::CudaKernel fill("extern \"C\" __global__ void fill(double* x, double a) { x[blockIdx.x] = a; }", "fill",
                               {.block = 1});
  fill(mylos::arguments(x, 0.5));
  EXPECT_EQ(elements(x), (std::vector<double>{0.5, 0.5, 0.5}));
}

}  // namespace
}  // namespace mylos_test
