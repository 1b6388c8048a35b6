// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>

#include "scale_arguments.hpp"

extern "C" __global__ void scale(mylos::Array<double, 2> a, test_kernels::ScaleArguments arguments) {
  MYLOS_THREAD_2D(i, j, a.extent(0), a.extent(1));
  double value = a(i, j);
  for (int n = 0; n < arguments.power; ++n) value *= arguments.factor;
  a(i, j) = value + arguments.shift;
}
