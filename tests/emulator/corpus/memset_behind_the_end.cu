// SPDX-License-Identifier: MIT
// Clears more than there is.
// launch: grid 1, block 9
// arguments: double[64]
extern "C" __global__ void test(double* x) {
#ifdef FAULTY
  memset(x + 8 * threadIdx.x, 0, 64);  // finds: memory
#else
  if (threadIdx.x < 8) memset(x + 8 * threadIdx.x, 0, 64);
#endif
}
