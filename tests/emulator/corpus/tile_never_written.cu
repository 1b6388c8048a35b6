// SPDX-License-Identifier: MIT
// The line that fills the tile is missing.
// launch: grid 1, block 64
// arguments: int[64], int[64]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ int tile[64];
  int i = threadIdx.x;
#ifndef FAULTY
  tile[i] = x[i];
#endif
  __syncthreads();
  y[i] = x[i] + tile[i % 8 * 8 + i / 8];  // finds: initialisation
}
