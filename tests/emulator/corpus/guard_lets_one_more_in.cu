// SPDX-License-Identifier: MIT
// The guard compares with <= instead of <.
// reported: github.com, autowarefoundation/autoware pull request 113, Fix off-by-one error
// launch: grid 3, block 32
// arguments: double[64], double[64], int 64
extern "C" __global__ void test(const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULTY
  if (i <= n) y[i] = 2 * x[i];  // finds: memory
#else
  if (i < n) y[i] = 2 * x[i];
#endif
}
