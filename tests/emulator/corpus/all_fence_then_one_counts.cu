// SPDX-License-Identifier: MIT
// Every thread fences what it wrote, then all meet, and one counts the block. The last block reads it all.
// launch: grid 4, block 64
// arguments: int[256], int[256], int[1], int[64]
extern "C" __global__ void test(const int* x, int* y, int* count, int* sums) {
  __shared__ bool is_last;
  int t = threadIdx.x;
  y[blockIdx.x * 64 + t] = x[blockIdx.x * 64 + t] + 1;  // finds: race
  __threadfence();
#ifndef FAULTY
  __syncthreads();
#endif
  if (t == 0) is_last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (int b = 0; b < 4; ++b) sum += y[b * 64 + 63 - t];  // finds: race
  sums[t] = sum;
}
