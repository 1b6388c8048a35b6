// SPDX-License-Identifier: MIT
// The first block clears a total that all blocks add to: no barrier reaches the others.
// launch: grid 4, block 64
// arguments: int[256], int[1]
extern "C" __global__ void test(const int* x, int* total) {
#ifdef FAULTY
  if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0;  // finds: race
#endif
  __syncthreads();
  atomicAdd(total, x[blockIdx.x * blockDim.x + threadIdx.x]);  // finds: race
}
