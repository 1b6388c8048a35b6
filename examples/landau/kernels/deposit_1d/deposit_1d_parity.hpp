// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include <mylos/base/extents.hpp>
#include <mylos/testing/tolerance.hpp>

#include "../columns.hpp"
#include "../parity_inputs.hpp"

namespace landau::kernels {

inline const mylos::Extents3 deposit_1d_threads{landau::parity::threads};
inline constexpr mylos::testing::Tolerance deposit_1d_tolerance{.relative = 1e-12, .absolute = 1e-11};

template <class Space>
auto deposit_1d_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const std::int64_t cells = 48;
  const auto units = inputs.make<Units<Space>>(-1e6, 1e6, cells);
  const auto sums = inputs.make<Rows<Space>>(0.0, 0.0, 1, MarkerSums::columns);
  const auto x = inputs.make<Vector<Space>>(0.0, cells, markers);
  const auto v = inputs.make<Vector<Space>>(-3.0, 3.0, markers);
  const auto weight = inputs.make<Vector<Space>>(0.9, 1.1, markers);
  const auto start_squared = inputs.make<Vector<Space>>(0.0, 9.0, markers);
  const bool controlled = seed % 2 == 1;
  return std::tuple(units, sums, x, v, weight, start_squared, controlled, units_per_marker, cells, markers, per_thread);
}

}  // namespace landau::kernels
