// SPDX-License-Identifier: MIT
// Shared by the functor and the port.
#pragma once

#include <mylos/device/integers.hpp>

namespace test_kernels {

struct ScaleArguments {
  double factor;
  float shift;
  std::int32_t power;
};

}  // namespace test_kernels
