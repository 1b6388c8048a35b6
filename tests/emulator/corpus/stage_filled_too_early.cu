// SPDX-License-Identifier: MIT
// One warp fills two stages in turn, another one empties them. Who fills must know that the stage was emptied.
// launch: grid 1, block 64
// arguments: int[128], int[64]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ int stage[2][32], full[2], empty[2];
  int t = threadIdx.x, lane = t % 32, sum = 0;
  if (t < 2) full[t] = empty[t] = 0;
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    int s = k % 2;
    if (t < 32) {
#ifndef FAULTY
      if (lane == 0 && k >= 2) {
        while (atomicAdd(&empty[s], 0) < k / 2) {
        }
        __threadfence_block();
      }
      __syncwarp();
#endif
      stage[s][lane] = x[32 * k + lane];  // finds: race
      __syncwarp();
      if (lane == 0) {
        __threadfence_block();
        atomicAdd(&full[s], 1);
      }
    } else {
      if (lane == 0) {
        while (atomicAdd(&full[s], 0) < k / 2 + 1) {
        }
        __threadfence_block();
      }
      __syncwarp();
      sum += stage[s][31 - lane];  // finds: race
      __syncwarp();
      if (lane == 0) {
        __threadfence_block();
        atomicAdd(&empty[s], 1);
      }
    }
  }
  y[t] = sum;
}
