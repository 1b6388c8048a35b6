// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scale_arguments.hpp"

namespace test_kernels::host {

/// a(i, j) = factor^power a(i, j) + shift, on Views of any layout
struct scale {
  template <class A>
  void operator()(std::int64_t i, std::int64_t j, const A& a, const ScaleArguments& arguments) const {
    if (i >= a.extent_int(0) || j >= a.extent_int(1)) return;
    double value = a(i, j);
    for (int n = 0; n < arguments.power; ++n) value *= arguments.factor;
    a(i, j) = value + arguments.shift;
  }
};

}  // namespace test_kernels::host
