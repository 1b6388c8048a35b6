// SPDX-License-Identifier: MIT
// The next tile is loaded while others still use the last one.
// reported: github.com, ORNL/HeCBench issue 253, Shared memory race conditions in surfel-cuda
// launch: grid 1, block 16
// arguments: double[64], double[16]
extern "C" __global__ void test(const double* x, double* y) {
  __shared__ double tile[16];
  int i = threadIdx.x;
  double sum = 0;
  for (int t = 0; t < 4; ++t) {
    tile[i] = x[16 * t + i];  // finds: race
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += tile[k];  // finds: race
#ifndef FAULTY
    __syncthreads();
#endif
  }
  y[i] = sum;
}
