// SPDX-License-Identifier: MIT
// A spin lock that orders nothing: CUDA's atomics are relaxed.
// reported: github.com, kokkos/kokkos issue 3038, Missing write fence for lock based atomics on CUDA
// launch: grid 1, block 64
// arguments: int[1], double[1]
extern "C" __global__ void test(int* lock, double* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
#ifndef FAULTY
      __threadfence();
#endif
      sum[0] += 1;  // finds: race
#ifndef FAULTY
      __threadfence();
#endif
      atomicExch(lock, 0);
      done = true;
    }
  }
}
