// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include <mylos/base/extents.hpp>
#include <mylos/testing/tolerance.hpp>

#include "../columns.hpp"
#include "../parity_inputs.hpp"

namespace landau::kernels {

inline const mylos::Extents3 poisson_threads{12 * 5 * 4};
inline constexpr mylos::testing::Tolerance poisson_tolerance{.relative = 1e-13, .absolute = 0};

template <class Space>
auto poisson_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const std::int64_t nodes = 12 * 5 * 4;
  const auto field = inputs.make<Grid<Space>>(0.0, 0.0, nodes, 3, 2);
  const auto density = inputs.make<Grid<Space>>(-1.0, 1.0, nodes, 1, 2);
  const auto symbols = inputs.make<Grid<Space>>(0.1, 1.0, 3, 12, Symbol::columns);
  return std::tuple(field, density, symbols, std::int64_t{5}, std::int64_t{4}, -0.01);
}

}  // namespace landau::kernels
