// SPDX-License-Identifier: MIT
// The second warp has eight lanes, and reads from those that it has not.
// reported: github.com, PaddlePaddle/CINN pull request 938, fix cuda shuffle function bug
// launch: grid 1, block 40
// arguments: int[40], int[2]
extern "C" __global__ void test(const int* x, int* sums) {
  int i = threadIdx.x, lane = i % 32, lanes = i < 32 ? 32 : 8;
  int sum = x[i];
  for (int k = 16; k > 0; k /= 2) {
#ifdef FAULTY
    sum += __shfl_down_sync(0xffffffffu, sum, k);  // finds: barrier
#else
    int other = __shfl_sync(0xffffffffu, sum, min(lane + k, lanes - 1));
    if (lane + k < lanes) sum += other;
#endif
  }
  if (lane == 0) sums[i / 32] = sum;
}
