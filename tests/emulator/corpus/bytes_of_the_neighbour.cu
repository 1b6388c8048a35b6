// SPDX-License-Identifier: MIT
// Each thread has a byte of its own; one reads the next one's.
// launch: grid 1, block 64
// arguments: char[64], char[64]
extern "C" __global__ void test(const char* x, char* y) {
  __shared__ char s[64];
  int i = threadIdx.x;
  s[i] = x[i];  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  y[i] = s[(i + 1) % 64];  // finds: race, initialisation
}
