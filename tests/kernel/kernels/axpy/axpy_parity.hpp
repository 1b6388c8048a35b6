// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <tuple>

#include <Kokkos_Core.hpp>

#include <mylos/base/extents.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/testing/tolerance.hpp>

namespace test_kernels {

inline const mylos::Extents3 axpy_threads = {1000};
inline constexpr mylos::testing::Tolerance axpy_tolerance = {.relative = 1e-15};

template <class Space>
auto axpy_arguments(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Kokkos::View<double*, mylos::HostSpace> x("x", 1000), y("y", 1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    x(i) = uniform(random);
    y(i) = uniform(random);
  }
  return std::tuple(std::int64_t(1000), uniform(random), mylos::copy_to<Space>(x), mylos::copy_to<Space>(y));
}

}  // namespace test_kernels
