// SPDX-License-Identifier: MIT
// Each thread updates its element while others still read it.
// launch: grid 1, block 64
// arguments: double[64], double[64]
__device__ double pair_sum(const double* s, int i) { return s[i] + s[i ^ 1]; }  // finds: race
extern "C" __global__ void test(const double* x, double* y) {
  __shared__ double s[64];
  int i = threadIdx.x;
  s[i] = x[i];
  __syncthreads();
  double v = pair_sum(s, i);
#ifndef FAULTY
  __syncthreads();
#endif
  s[i] = v;  // finds: race
  __syncthreads();
  y[i] = s[i];
}
