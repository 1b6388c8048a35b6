// SPDX-License-Identifier: MIT
// The first warp waits for all threads of the block, of which only the others count themselves.
// launch: grid 1, block 96
// arguments: int[96], int[1]
extern "C" __global__ void test(const int* x, int* sum) {
  __shared__ int part[96], done;
  int i = threadIdx.x;
  if (i == 0) done = 0;
  __syncthreads();
  if (i >= 32) {
    part[i] = x[i] + x[i - 32];
    __threadfence_block();
    atomicAdd(&done, 1);
  } else if (i == 0) {
#ifdef FAULTY
    int expected = blockDim.x;
#else
    int expected = blockDim.x - 32;
#endif
    while (atomicAdd(&done, 0) < expected) {  // finds: deadlock
    }
    __threadfence_block();
    *sum = part[32] + part[95];
  }
}
