// SPDX-License-Identifier: MIT
// Flags of one byte, read by another warp.
// launch: grid 1, block 64
// arguments: int[64], int[64]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ bool flags[64];
  int i = threadIdx.x;
  flags[i] = x[i] > 3;  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  y[i] = flags[i ^ 32];  // finds: race, initialisation
}
