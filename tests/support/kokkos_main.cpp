// SPDX-License-Identifier: MIT
// main() of tests that need Kokkos: started before, ended after all cases.
#include <stdlib.h>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

namespace {

// What is tested does not depend on the machine: the device is the emulated one unless a backend, a driver or
// MYLOS_REQUIRE_CUDA says otherwise.
void hide_gpus_that_nobody_asked_for() {
  if (::getenv("MYLOS_BACKEND") != nullptr || ::getenv("MYLOS_REQUIRE_CUDA") != nullptr) return;
  constexpr int keep_a_given_one = 0;
  ::setenv("MYLOS_CUDA_DRIVER", "/no-driver-for-tests/libcuda.so", keep_a_given_one);
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  hide_gpus_that_nobody_asked_for();
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
