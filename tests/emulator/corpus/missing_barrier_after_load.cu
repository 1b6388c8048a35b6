// SPDX-License-Identifier: MIT
// Reads what other threads load into shared memory, without a barrier.
// reported: github.com, dirac-institute/kbmod pull request 108, __syncthreads() after writing shared memory
// launch: grid 2, block 64
// arguments: double[128], double[128]
extern "C" __global__ void test(const double* x, double* y) {
  __shared__ double tile[64];
  int i = threadIdx.x, first = blockIdx.x * blockDim.x;
  tile[i] = x[first + i];  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  y[first + i] = tile[63 - i];  // finds: race, initialisation
}
