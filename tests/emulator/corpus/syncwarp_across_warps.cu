// SPDX-License-Identifier: MIT
// A barrier of the warp, where two warps exchange.
// launch: grid 1, block 64
// arguments: double[64], double[64]
extern "C" __global__ void test(const double* x, double* y) {
  __shared__ double s[64];
  int i = threadIdx.x;
  s[i] = x[i];  // finds: race
#ifdef FAULTY
  __syncwarp();
#else
  __syncthreads();
#endif
  y[i] = s[i ^ 32];  // finds: race, initialisation
}
