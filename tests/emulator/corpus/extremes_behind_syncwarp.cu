// SPDX-License-Identifier: MIT
// One warp's barrier behind what all warps of the block will update.
// launch: grid 1, block 48
// arguments: int[48], int[2]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ int extremes[2];
  int i = threadIdx.x;
  if (i == 0) {
    extremes[0] = 0x7fffffff;  // finds: race
    extremes[1] = 0;           // finds: race
  }
#ifdef FAULTY
  __syncwarp();
#else
  __syncthreads();
#endif
  atomicMin(&extremes[0], x[i]);  // finds: race
  atomicMax(&extremes[1], x[i]);  // finds: race
  __syncthreads();
  if (i < 2) y[i] = extremes[i];
}
