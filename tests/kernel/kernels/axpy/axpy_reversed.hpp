// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace test_kernels::host {

/// The same from the other end; counts its calls, so that a test sees which one ran.
struct axpy_reversed {
  static inline std::int64_t calls = 0;

  template <class X, class Y>
  void operator()(std::int64_t i, std::int64_t n, double a, const X& x, const Y& y) const {
    ++calls;
    if (i < n) y(n - 1 - i) += a * x(n - 1 - i);
  }
};

}  // namespace test_kernels::host
