// SPDX-License-Identifier: MIT
// A lock shared by blocks.
// launch: grid 4, block 1
// arguments: int[1], double[1]
extern "C" __global__ void test(int* lock, double* sum) {
#ifndef FAULTY
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
#endif
  sum[0] = sum[0] * 2 + 1;  // finds: race
#ifndef FAULTY
  __threadfence();
  atomicExch(lock, 0);
#endif
}
