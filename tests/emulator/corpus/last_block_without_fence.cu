// SPDX-License-Identifier: MIT
// The last block to finish sums what others wrote; nothing orders that but a fence and an atomic.
// reported: github.com, kokkos/kokkos issue 2681, CUDA: Race condition in parallel_scan
// launch: grid 4, block 32
// arguments: double[64], double[8], int[1]
extern "C" __global__ void test(const double* x, double* sums, int* finished) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = x[blockIdx.x];  // finds: race
#ifndef FAULTY
    __threadfence();
#endif
    last = atomicAdd(finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) sums[4 + threadIdx.x] = 2 * sums[threadIdx.x];  // finds: race
}
