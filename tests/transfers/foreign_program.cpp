// SPDX-License-Identifier: MIT
// An application that knows Kokkos and nothing of Mylos; docs/transfers.md shows what the connector tells of it.
#include <cstring>
#include <iostream>
#include <thread>
#include <vector>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

namespace {

void simulate() {
  Kokkos::View<double*> density("density", 1000), old_density("old density", 1000);
  Kokkos::View<double**, Kokkos::HostSpace> history("history", 10, 1000);
  for (int step = 0; step < 10; ++step) {
    Kokkos::Profiling::ScopedRegion region("step");
    Kokkos::deep_copy(old_density, density);
    Kokkos::parallel_for(1000, KOKKOS_LAMBDA(int i) { density(i) = 0.5 * (old_density(i) + 1.0); });
    Kokkos::Profiling::pushRegion("output");
    Kokkos::deep_copy(Kokkos::subview(history, step, Kokkos::ALL), density);
    Kokkos::Profiling::popRegion();
  }
  std::cout << "density: " << density(0) << std::endl;
}

// Several threads, and more copies than could be kept one by one.
void copy_often() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      Kokkos::View<int, Kokkos::HostSpace> from("from"), to("to");
      for (int i = 0; i < 250'000; ++i) Kokkos::deep_copy(to, from);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc > 1 && std::strcmp(argv[1], "often") == 0) {
    copy_often();
  } else {
    simulate();
  }
}
