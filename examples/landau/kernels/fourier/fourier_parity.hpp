// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include <mylos/base/extents.hpp>
#include <mylos/testing/tolerance.hpp>

#include "../columns.hpp"
#include "../parity_inputs.hpp"

namespace landau::kernels {

inline const mylos::Extents3 fourier_threads{12 * 5 * 4 * 3};
inline constexpr mylos::testing::Tolerance fourier_tolerance{.relative = 1e-12, .absolute = 1e-12};

template <class Space>
auto fourier_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const std::int64_t nodes = 12 * 5 * 4;
  const auto parts = static_cast<int>(1 + seed % 2);  // real and complex numbers in turn
  const auto out = inputs.make<Grid<Space>>(0.0, 0.0, nodes, 3, 3 - parts);
  const auto in = inputs.make<Grid<Space>>(-1.0, 1.0, nodes, 3, parts);
  const auto symbols = inputs.make<Grid<Space>>(-1.0, 1.0, 3, 12, Symbol::columns);
  return std::tuple(out, in, symbols, 1, std::int64_t{5}, std::int64_t{4}, -1.0);
}

}  // namespace landau::kernels
