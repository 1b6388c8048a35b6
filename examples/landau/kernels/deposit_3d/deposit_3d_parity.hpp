// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include <mylos/base/extents.hpp>
#include <mylos/testing/tolerance.hpp>

#include "../columns.hpp"
#include "../parity_inputs.hpp"

namespace landau::kernels {

inline const mylos::Extents3 deposit_3d_threads{landau::parity::threads};
inline constexpr mylos::testing::Tolerance deposit_3d_tolerance{.relative = 1e-12, .absolute = 1e-11};

template <class Space>
auto deposit_3d_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const std::int64_t nx = 12;
  const std::int64_t ny = 5;
  const std::int64_t nz = 4;
  const auto units = inputs.make<Units<Space>>(-1e6, 1e6, nx * ny * nz);
  const auto sums = inputs.make<Rows<Space>>(0.0, 0.0, 1, MarkerSums::columns);
  const auto x = inputs.make<Columns<Space>>(0.0, 4.0, markers, 3);
  const auto v = inputs.make<Columns<Space>>(-3.0, 3.0, markers, 3);
  const auto weight = inputs.make<Vector<Space>>(0.9, 1.1, markers);
  const auto start_squared = inputs.make<Vector<Space>>(0.0, 9.0, markers);
  const bool controlled = seed % 2 == 1;
  return std::tuple(units, sums, x, v, weight, start_squared, controlled, units_per_marker, nx, ny, nz, markers,
                    per_thread);
}

}  // namespace landau::kernels
