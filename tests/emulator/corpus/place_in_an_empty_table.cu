// SPDX-License-Identifier: MIT
// A key's place is its remainder by the size of the table, which is 0 for the first one.
// launch: grid 4, block 32
// arguments: int[4], int[128]
extern "C" __global__ void test(const int* sizes, int* places) {
  __shared__ unsigned size;
  if (threadIdx.x == 0) size = sizes[blockIdx.x];
  __syncthreads();
#ifndef FAULTY
  if (size == 0) return;
#endif
  places[blockIdx.x * 32 + threadIdx.x] = 7 * threadIdx.x % size;  // finds: arithmetic
}
