// SPDX-License-Identifier: MIT
// Thread 0 writes where the others still read.
// reported: github.com, NVIDIA/cccl pull request 4556, Fix race in decoupled lookback test harness
// launch: grid 1, block 64
// arguments: double[64], double[64]
extern "C" __global__ void test(const double* x, double* y) {
  __shared__ double scale;
  if (threadIdx.x == 0) scale = x[0];
  __syncthreads();
  y[threadIdx.x] = x[threadIdx.x] * scale;  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  if (threadIdx.x == 0) scale = 0;  // finds: race
}
