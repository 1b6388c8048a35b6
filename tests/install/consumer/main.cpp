// SPDX-License-Identifier: MIT
// Uses the compiled library, a header template and Kokkos.
#include <cstdio>

#include <Kokkos_Core.hpp>

#include <mylos/mylos.hpp>

int main(int argc, char** argv) {
  static_assert(__cplusplus >= 202002L, "the package's compile feature asks for C++20");
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::View<double*> x("x", 100);
  Kokkos::deep_copy(x, 0.5);
  double sum = 0.0;
  Kokkos::parallel_reduce(100, KOKKOS_LAMBDA(int i, double& partial) { partial += x(i); }, sum);
  mylos::require_version("0.1");
  std::printf("Mylos %s, sum %.1f\n", mylos::version().data(), sum);
  return sum == 50.0 ? 0 : 1;
}
