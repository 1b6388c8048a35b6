// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>

extern "C" __global__ void collect(mylos::Array<double, 1> charge, mylos::Array<std::int64_t, 1> units,
                                   double units_per_marker) {
  MYLOS_THREAD_1D(i, charge.extent(0));
  charge(i) = static_cast<double>(units(i)) / units_per_marker;
  units(i) = 0;
}
