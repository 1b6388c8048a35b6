// SPDX-License-Identifier: MIT
// main() of tests of the CUDA engine: on the stand-in driver, whatever the machine has.
#include <stdlib.h>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "cuda/emulated_kernels.hpp"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  ::setenv("MYLOS_CUDA_DRIVER", MYLOS_STAND_IN, 1);
  ::setenv("MYLOS_BACKEND", "cuda", 0);
  const mylos_test::StandIn stand_in;
  mylos_test::run_library_kernels(stand_in);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
