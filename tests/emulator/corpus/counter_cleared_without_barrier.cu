// SPDX-License-Identifier: MIT
// One thread clears a counter that others already add to.
// reported: github.com, alicevision/popsift pull request 82, Resolve race conditions identified by racecheck
// launch: grid 1, block 64
// arguments: int[64], int[1]
extern "C" __global__ void test(const int* x, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  if (x[threadIdx.x] > 5) atomicAdd(&count, 1);  // finds: race
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
