// SPDX-License-Identifier: MIT
// Of several candidates the one that comes first is taken.
// launch: grid 2, block 32
// arguments: int[64], int[1]
extern "C" __global__ void test(const int* x, int* winner) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] % 5 != 3) return;
#ifdef FAULTY
  atomicCAS(winner, 0, i);  // finds: thread_order
#else
  atomicMax(winner, i);
#endif
}
