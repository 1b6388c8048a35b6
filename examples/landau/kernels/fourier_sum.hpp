// SPDX-License-Identifier: MIT
// One output of a Fourier sum along an axis of a grid: the same text for the functor and its port.
#pragma once

#include <mylos/device/integers.hpp>
#include <mylos/device/platform.hpp>

#include "columns.hpp"

namespace landau {

/// out(node, c) = sum over m of in(node with m on the axis, c) * exp(sign * 2 pi i m index / length), where index is
/// node's on the axis. Element i is (node, c), c fastest. in and out are (nodes, components, parts) with 2 parts for
/// complex and 1 for real numbers: a real `in` has no imaginary part, that of a real `out` is dropped.
/// stride: nodes between neighbours on the axis. symbols(axis, m, cosine and sine): of 2 pi m / length.
/// Plain sums: axes are short here, and there is one thread per output.
template <class Out, class In, class Symbols>
MYLOS_FUNCTION void fourier_sum(std::int64_t i, const Out& out, const In& in, const Symbols& symbols, int axis,
                                std::int64_t length, std::int64_t stride, double sign) {
  const auto components = static_cast<std::int64_t>(in.extent(1));
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

}  // namespace landau
