// SPDX-License-Identifier: MIT
// A stencil reads the element before the first.
// reported: github.com, myurtoglu/cudaforengineers issue 5, A tiny issue in the source code in section 5.2.1
// launch: grid 1, block 64
// arguments: double[64], double[64], int 64
extern "C" __global__ void test(const double* x, double* y, int n) {
  int i = threadIdx.x;
  double left = 0;
#ifdef FAULTY
  left = x[i - 1];  // finds: memory
#else
  if (i > 0) left = x[i - 1];
#endif
  y[i] = x[i] - left;
}
