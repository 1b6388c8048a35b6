// SPDX-License-Identifier: MIT
// A lock whose holders come in the order of their tickets.
// launch: grid 3, block 32
// arguments: int[2], double[1]
extern "C" __global__ void test(int* lock, double* sum) {
  if (threadIdx.x != 0) return;
  int ticket = atomicAdd(&lock[0], 1);
  while (atomicAdd(&lock[1], 0) - 1 != ticket) {
  }
  __threadfence();
  sum[0] += 1;  // finds: race
#ifndef FAULTY
  __threadfence();
#endif
  atomicAdd(&lock[1], 1);
}
