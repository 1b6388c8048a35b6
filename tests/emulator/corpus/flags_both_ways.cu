// SPDX-License-Identifier: MIT
// Two threads hand a value over in turn: each waits for the other's volatile flag.
// launch: grid 1, block 33
// arguments: int[8], int[8]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ volatile int flag;
  __shared__ int data;
  int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  for (int i = 1; i < 4; ++i) {
    if (t == 0) {
      data = x[i];  // finds: race
#ifndef FAULTY
      __threadfence_block();
#endif
      flag = 2 * i - 1;
      while (flag != 2 * i) {
      }
      __threadfence_block();
    }
    if (t == 32) {
      while (flag != 2 * i - 1) {
      }
      __threadfence_block();
      y[i] = data;  // finds: race
      __threadfence_block();
      flag = 2 * i;
    }
  }
}
