// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>

#include "../columns.hpp"

using landau::Symbol;

extern "C" __global__ void fourier(mylos::Array<double, 3> out, mylos::Array<const double, 3> in,
                                   mylos::Array<const double, 3> symbols, int axis, std::int64_t length,
                                   std::int64_t stride, double sign) {
  const std::int64_t components = in.extent(1);
  MYLOS_THREAD_1D(i, in.extent(0) * components);
  const std::int64_t node = i / components;
  const std::int64_t c = i % components;
  const std::int64_t index = node / stride % length;
  const std::int64_t line = node - index * stride;
  const bool complex_in = in.extent(2) == 2;
  double real = 0.0;
  double imaginary = 0.0;
  std::int64_t angle = 0;
  for (std::int64_t m = 0; m < length; ++m) {
    const double cosine = symbols(axis, angle, Symbol::cosine);
    const double sine = sign * symbols(axis, angle, Symbol::sine);
    const double a = in(line + m * stride, c, 0);
    const double b = complex_in ? in(line + m * stride, c, 1) : 0.0;
    real += a * cosine - b * sine;
    imaginary += a * sine + b * cosine;
    angle += index;
    if (angle >= length) angle -= length;
  }
  out(node, c, 0) = real;
  if (out.extent(2) == 2) out(node, c, 1) = imaginary;
}
