// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include "../parity_inputs.hpp"

namespace landau::kernels {

template <class Space>
auto collect_arguments(std::uint64_t seed) {
  using namespace landau::parity;
  Inputs inputs(seed);
  const auto charge = inputs.make<Vector<Space>>(0.0, 0.0, 240);
  const auto units = inputs.make<Units<Space>>(-0x1p62, 0x1p62, 240);
  return std::tuple(charge, units, units_per_marker);
}

}  // namespace landau::kernels
