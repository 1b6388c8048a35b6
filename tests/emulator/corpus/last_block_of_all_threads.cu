// SPDX-License-Identifier: MIT
// All threads write, fence and meet; then one counts.
// launch: grid 4, block 32
// arguments: double[128], double[128], int[1]
extern "C" __global__ void test(const double* x, double* y, int* finished) {
  __shared__ bool last;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i];  // finds: race
#ifndef FAULTY
  __threadfence();
#endif
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(finished, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) y[threadIdx.x] += y[threadIdx.x + 32] + y[threadIdx.x + 64];  // finds: race
}
