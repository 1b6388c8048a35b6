// SPDX-License-Identifier: MIT
// From whole units, as markers were added up, to charge.
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

namespace landau::kernels::host {

/// charge(i) is what was deposited at node i, in markers; units(i) is 0 for the next deposit.
struct collect {
  template <class Charge, class Units>
  KOKKOS_FUNCTION void operator()(std::int64_t i, const Charge& charge, const Units& units,
                                  double units_per_marker) const {
    charge(i) = static_cast<double>(units(i)) / units_per_marker;
    units(i) = 0;
  }
};

}  // namespace landau::kernels::host
