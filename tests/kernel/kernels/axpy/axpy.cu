// SPDX-License-Identifier: MIT
#include <mylos/device/index.hpp>

extern "C" __global__ void axpy(std::int64_t n, double a, const double* x, double* y) {
  MYLOS_THREAD_1D(i, n);
  y[i] += a * x[i];
}
