// SPDX-License-Identifier: MIT
// Lane 0 and 1 meet, then 1 and 2: what 0 wrote is known to 2.
// launch: grid 1, block 32
// arguments: int[32], int[4]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ int s[3];
  int i = threadIdx.x;
  if (i == 0) s[0] = x[0];  // finds: race
  if (i <= 1) __syncwarp(0x3u);
  if (i == 1 || i == 2) {
#ifndef FAULTY
    __syncwarp(0x6u);
#endif
  }
  if (i == 2) y[0] = s[0];  // finds: race
}
