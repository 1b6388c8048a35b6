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
