// SPDX-License-Identifier: MIT
// The sum is read while others still add to it.
// launch: grid 1, block 64
// arguments: int[1]
extern "C" __global__ void test(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  if (threadIdx.x == 63) out[0] = count;  // finds: race
}
