// SPDX-License-Identifier: MIT
// One kernel of the catalog, on the host and on the device that is emulated.
#include <cstdint>
#include <cstdio>

#include <Kokkos_Core.hpp>
#include <outside_kernels.hpp>

#include <mylos/mylos.hpp>

namespace {

template <class Space>
double sum_of_scaled(std::int64_t n) {
  const Kokkos::View<double*, Space> x("x", n);
  Kokkos::deep_copy(x, 2.0);
  outside::scale({.threads = n}, n, x, 1.5);
  const auto on_host = mylos::to_host(x);
  double sum = 0.0;
  for (std::int64_t i = 0; i < n; ++i) sum += on_host(i);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const mylos::Session session(argc, argv);
  const double host = sum_of_scaled<mylos::HostSpace>(100);
  mylos::set_backend(mylos::Backend::emulated);
  const double emulated = sum_of_scaled<mylos::DeviceSpace>(100);
  std::printf("host %.1f, emulated %.1f\n", host, emulated);
  return host == emulated ? 0 : 1;
}
