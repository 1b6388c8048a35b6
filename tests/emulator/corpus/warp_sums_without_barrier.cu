// SPDX-License-Identifier: MIT
// Warps leave their sums in shared memory for the first warp.
// launch: grid 1, block 128
// arguments: float[128], float[1]
extern "C" __global__ void test(const float* x, float* sum) {
  __shared__ float sums[4];
  int i = threadIdx.x;
  float v = x[i];
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffffu, v, k);
  if (i % 32 == 0) sums[i / 32] = v;  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  if (i == 127) *sum = sums[0] + sums[1] + sums[2] + sums[3];  // finds: race
}
