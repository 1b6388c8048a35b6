// SPDX-License-Identifier: MIT
// What the snippets of the guides find already there: a few Views, numbers and kernels.
#pragma once

#include <cstdint>
#include <string>

#include <Kokkos_Core.hpp>

#include <mylos/mylos.hpp>

namespace {

struct push_functor {
  template <class X, class V>
  void operator()(std::int64_t i, const X& x, const V& v, double dt) const {
    x(i) += dt * v(i);
  }
};

const std::string push_text = R"(
  #include <mylos/device/array.hpp>
  #include <mylos/device/index.hpp>
  extern "C" __global__ void push(mylos::Array<double, 1> x, mylos::Array<const double, 1> v, double dt) {
    MYLOS_THREAD_1D(i, x.extent(0));
    x(i) += dt * v(i);
  }
)";

constexpr std::int64_t n = 100;
constexpr double dt = 0.5;

/// Views on the device, and a kernel with both of its sides.
struct Sample {
  Kokkos::View<double*, mylos::DeviceSpace> x{"x", n}, v{"v", n};
  mylos::Kernel<push_functor> push{"push", push_functor{}, mylos::CudaKernel(push_text, "push")};
};

}  // namespace
