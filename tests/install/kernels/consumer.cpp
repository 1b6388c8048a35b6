// SPDX-License-Identifier: MIT
// The kernels of both catalogs, on the host and on the device that is emulated.
#include <cstdint>
#include <cstdio>

#include <Kokkos_Core.hpp>
#include <generated_kernels.hpp>
#include <outside_kernels.hpp>

#include <mylos/mylos.hpp>

namespace {

template <class Space, class Kernel>
double sum_after(const Kernel& kernel) {
  constexpr std::int64_t n = 100;
  const Kokkos::View<double*, Space> x("x", n);
  Kokkos::deep_copy(x, 2.0);
  kernel({.threads = n}, n, x, 1.5);
  const auto on_host = mylos::to_host(x);
  double sum = 0.0;
  for (std::int64_t i = 0; i < n; ++i) sum += on_host(i);
  return sum;
}

template <class Kernel>
void print_sums(const char* name, const Kernel& kernel) {
  std::printf("%s: host %.1f, emulated %.1f\n", name, sum_after<mylos::HostSpace>(kernel),
              sum_after<mylos::DeviceSpace>(kernel));
}

}  // namespace

int main(int argc, char** argv) {
  const mylos::Session session(argc, argv);
  mylos::set_backend(mylos::Backend::emulated);
  print_sums("scale", outside::scale);
  print_sums("early", outside::made::early);
  print_sums("late", outside::made::late);
  return 0;
}
