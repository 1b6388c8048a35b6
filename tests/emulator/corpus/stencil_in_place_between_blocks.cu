// SPDX-License-Identifier: MIT
// An update in place reads elements of the neighbouring blocks.
// reported: github.com, omlins/ParallelStencil.jl issue 73, Possible race condition
// launch: grid 4, block 16
// arguments: double[64], double[64]
extern "C" __global__ void test(double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i == 63) return;
#ifdef FAULTY
  double mean = 0.5 * (x[i - 1] + x[i + 1]);  // finds: race
  x[i] = mean;                                // finds: race
#else
  y[i] = 0.5 * (x[i - 1] + x[i + 1]);
#endif
}
