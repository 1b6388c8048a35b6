// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>

#include "../fourier_sum.hpp"

extern "C" __global__ void fourier(mylos::Array<double, 3> out, mylos::Array<const double, 3> in,
                                   mylos::Array<const double, 3> symbols, int axis, std::int64_t length,
                                   std::int64_t stride, double sign) {
  MYLOS_THREAD_1D(i, in.extent(0) * in.extent(1));
  landau::fourier_sum(i, out, in, symbols, axis, length, stride, sign);
}
