// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include <mylos/base/extents.hpp>
#include <mylos/testing/tolerance.hpp>

#include "../columns.hpp"
#include "../parity_inputs.hpp"

namespace landau::kernels {

inline const mylos::Extents3 load_beams_threads{landau::parity::markers};
inline constexpr mylos::testing::Tolerance load_beams_tolerance{.relative = 1e-13, .absolute = 1e-13};

template <class Space>
auto load_beams_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const auto x = inputs.make<Vector<Space>>(0.0, 0.0, markers);
  const auto v = inputs.make<Vector<Space>>(0.0, 0.0, markers);
  const int beams = static_cast<int>(1 + seed % 2);
  return std::tuple(x, v, beams, 1.2, 0.01, std::int64_t{64}, markers, 0.3);
}

}  // namespace landau::kernels
