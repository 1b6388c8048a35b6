// SPDX-License-Identifier: MIT
// Bins of the block are added to those of the device while others still count.
// launch: grid 2, block 64
// arguments: int[128], int[16]
extern "C" __global__ void test(const int* x, int* counts) {
  __shared__ int bins[16];
  int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[x[blockIdx.x * 64 + t] % 16], 1);  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  if (t < 16) atomicAdd(&counts[t], bins[t]);  // finds: race
}
