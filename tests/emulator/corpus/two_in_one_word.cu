// SPDX-License-Identifier: MIT
// Threads have 16 bits each; one takes its neighbour's too.
// launch: grid 1, block 32
// arguments: short[32], short[32]
extern "C" __global__ void test(short* x, short* y) {
  int i = threadIdx.x;
  x[i] = 1;  // finds: race
#ifdef FAULTY
  if (i == 6) x[7] = 3;  // finds: race
#endif
  y[i] = x[i];
}
