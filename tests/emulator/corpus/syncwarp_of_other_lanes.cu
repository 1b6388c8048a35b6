// SPDX-License-Identifier: MIT
// The mask of a barrier leaves out the lanes that wrote.
// launch: grid 1, block 32
// arguments: double[32], double[32]
extern "C" __global__ void test(const double* x, double* y) {
  __shared__ double s[32];
  int i = threadIdx.x;
  double v = 0;
  s[i] = x[i];  // finds: race
  if (i < 16) {
    __syncwarp(0xffffu);
#ifdef FAULTY
    v = s[i ^ 16];  // finds: race, initialisation
#else
    v = s[i ^ 8];
#endif
  }
  y[i] = v;
}
