// SPDX-License-Identifier: MIT
// Each element has a lock; what is not fenced before it is released is not seen by the next holder.
// launch: grid 2, block 32
// arguments: int[64], int[1024], float[1024]
extern "C" __global__ void test(const int* x, int* locks, float* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = x[i] % 4 * 256;
  for (bool done = false; !done;) {
    if (atomicExch(&locks[at], 1024) != 1024) {
      __threadfence();
      sums[at] += 1;  // finds: race
#ifndef FAULTY
      __threadfence();
#endif
      atomicExch(&locks[at], 0);
      done = true;
    }
  }
}
