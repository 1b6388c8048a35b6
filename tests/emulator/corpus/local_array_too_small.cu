// SPDX-License-Identifier: MIT
// Indexes a local array behind its end.
// launch: grid 1, block 4
// arguments: double[32], double[4], int 8
extern "C" __global__ void test(const double* x, double* y, int n) {
  double window[8];
#ifdef FAULTY
  for (int k = 0; k <= n; ++k) window[k] = x[k];  // finds: memory
#else
  for (int k = 0; k < n; ++k) window[k] = x[k];
#endif
  y[threadIdx.x] = window[threadIdx.x];
}
