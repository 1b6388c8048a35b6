// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "../scaled.hpp"

namespace outside::host {

/// x(i) = scaled(x(i), factor) for the first n elements.
struct scale {
  template <class X>
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t, const X& x, double factor) const {
    x(i) = scaled(x(i), factor);
  }
};

}  // namespace outside::host
