// SPDX-License-Identifier: MIT
#include <mylos/device/index.hpp>

#include "../scaled.hpp"

extern "C" __global__ void scale(std::int64_t n, double* x, double factor) {
  MYLOS_THREAD_1D(i, n);
  x[i] = outside::scaled(x[i], factor);
}
