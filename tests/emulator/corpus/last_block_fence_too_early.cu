// SPDX-License-Identifier: MIT
// The fence comes before the write that it should publish.
// launch: grid 4, block 32
// arguments: double[64], double[8], int[1]
extern "C" __global__ void test(const double* x, double* sums, int* finished) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
#ifdef FAULTY
    __threadfence();
#endif
    sums[blockIdx.x] = x[blockIdx.x];  // finds: race
#ifndef FAULTY
    __threadfence();
#endif
    last = atomicAdd(finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    double sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += sums[b];  // finds: race
    sums[4] = sum;
  }
}
