// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include <mylos/base/extents.hpp>
#include <mylos/testing/tolerance.hpp>

#include "../columns.hpp"
#include "../parity_inputs.hpp"

namespace landau::kernels {

inline const mylos::Extents3 diagnostics_threads{12 * 5 * 4};
inline constexpr mylos::testing::Tolerance diagnostics_tolerance{.relative = 1e-12, .absolute = 1e-12};

template <class Space>
auto diagnostics_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const std::int64_t nodes = 12 * 5 * 4;
  const auto history = inputs.make<Rows<Space>>(0.0, 0.0, 5, History::columns);
  const auto sums = inputs.make<Rows<Space>>(-1.0, 1.0, 64, MarkerSums::columns);
  const auto charge = inputs.make<Vector<Space>>(-1.0, 1.0, nodes);
  const auto spectrum = inputs.make<Grid<Space>>(-1.0, 1.0, nodes, 3, 2);
  return std::tuple(history, sums, charge, spectrum, std::int64_t{2}, std::int64_t{20}, 0.7);
}

}  // namespace landau::kernels
