// SPDX-License-Identifier: MIT
// Bins in shared memory begin with whatever was there.
// launch: grid 2, block 64
// arguments: int[64], int[8]
extern "C" __global__ void test(const int* x, int* counts) {
  __shared__ int bins[8];
  int i = threadIdx.x;
#ifndef FAULTY
  if (i < 8) bins[i] = 0;
  __syncthreads();
#endif
  atomicAdd(&bins[x[i] % 8], 1);  // finds: initialisation
  __syncthreads();
  if (i < 8) atomicAdd(&counts[i], bins[i]);
}
