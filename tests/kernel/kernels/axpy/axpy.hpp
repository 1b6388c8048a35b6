// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace test_kernels::host {

/// y(i) += a x(i)
struct axpy {
  template <class X, class Y>
  void operator()(std::int64_t i, std::int64_t n, double a, const X& x, const Y& y) const {
    if (i < n) y(i) += a * x(i);
  }
};

}  // namespace test_kernels::host
