// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include <mylos/base/extents.hpp>
#include <mylos/testing/tolerance.hpp>

#include "../columns.hpp"
#include "../parity_inputs.hpp"

namespace landau::kernels {

inline const mylos::Extents3 push_3d_threads{landau::parity::threads};
inline constexpr mylos::testing::Tolerance push_3d_tolerance{.relative = 1e-12, .absolute = 1e-11};

template <class Space>
auto push_3d_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const std::int64_t nx = 12;
  const std::int64_t ny = 5;
  const std::int64_t nz = 4;
  const auto x = inputs.make<Columns<Space>>(0.0, 4.0, markers, 3);
  const auto v = inputs.make<Columns<Space>>(-3.0, 3.0, markers, 3);
  const auto field = inputs.make<Rows<Space>>(-1.0, 1.0, nx * ny * nz, 3);
  const auto weight = inputs.make<Vector<Space>>(0.9, 1.1, markers);
  const auto sums = inputs.make<Rows<Space>>(0.0, 0.0, 1, MarkerSums::columns);
  const bool weighted = seed % 2 == 1;
  return std::tuple(x, v, field, weight, sums, weighted, 0.1, 0.5, nx, ny, nz, markers, per_thread);
}

}  // namespace landau::kernels
