// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include <mylos/base/extents.hpp>
#include <mylos/testing/tolerance.hpp>

#include "../columns.hpp"
#include "../parity_inputs.hpp"

namespace landau::kernels {

inline const mylos::Extents3 load_1d_threads{landau::parity::markers};
inline constexpr mylos::testing::Tolerance load_1d_tolerance{.relative = 1e-12, .absolute = 1e-12};

template <class Space>
auto load_1d_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const auto x = inputs.make<Vector<Space>>(0.0, 0.0, markers);
  const auto v = inputs.make<Vector<Space>>(0.0, 0.0, markers);
  const auto weight = inputs.make<Vector<Space>>(0.0, 0.0, markers);
  const auto start_squared = inputs.make<Vector<Space>>(0.0, 0.0, markers);
  const bool controlled = seed % 2 == 1;
  return std::tuple(x, v, weight, start_squared, controlled, 0.1, std::int64_t{64}, markers, 0.3, 0.7);
}

}  // namespace landau::kernels
