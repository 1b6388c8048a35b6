// SPDX-License-Identifier: MIT
// A vote does not order what lanes write to global memory.
// reported: github.com, NVIDIA/cuCollections pull request 337, Add block sync after reset of counters
// launch: grid 1, block 32
// arguments: int[32], int[32]
extern "C" __global__ void test(int* x, int* y) {
  int i = threadIdx.x;
  x[i] = 2 * i;  // finds: race
  if (__any_sync(0xffffffffu, i > 3)) {
#ifndef FAULTY
    __syncwarp();
#endif
    y[i] = x[31 - i];  // finds: race
  }
}
