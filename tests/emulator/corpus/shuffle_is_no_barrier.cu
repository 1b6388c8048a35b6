// SPDX-License-Identifier: MIT
// A shuffle does not order what lanes write to shared memory.
// launch: grid 1, block 32
// arguments: int[32], int[32]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = x[i];  // finds: race
  int other = __shfl_xor_sync(0xffffffffu, i, 1);
#ifndef FAULTY
  __syncwarp();
#endif
  y[i] = s[other];  // finds: race
}
