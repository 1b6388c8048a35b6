// SPDX-License-Identifier: MIT
// Two threads write one byte.
// launch: grid 1, block 64
// arguments: char[64]
extern "C" __global__ void test(char* x) {
#ifdef FAULTY
  x[threadIdx.x / 2] = 1;  // finds: race
#else
  x[threadIdx.x] = 1;
#endif
}
