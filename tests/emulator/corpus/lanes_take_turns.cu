// SPDX-License-Identifier: MIT
// A loop in which lanes hand a value on, with a barrier of the warp in each round.
// launch: grid 1, block 32
// arguments: int[32]
extern "C" __global__ void test(int* x) {
  __shared__ int value;
  int i = threadIdx.x;
  if (i == 0) value = 0;
  __syncwarp();
  for (int turn = 0; turn < 32; ++turn) {
    if (turn == i) value += i;  // finds: race
#ifndef FAULTY
    __syncwarp();
#endif
  }
  __syncwarp();
  x[i] = value;
}
