// SPDX-License-Identifier: MIT
// The remainder of a negative number is negative.
// reported: github.com, boutproject/BOUT-dev issue 278, DataIterator::offset()
// launch: grid 1, block 32
// arguments: double[32], double[32]
extern "C" __global__ void test(const double* x, double* y) {
  int i = threadIdx.x;
#ifdef FAULTY
  y[i] = x[(i - 3) % 32];  // finds: memory
#else
  y[i] = x[(i - 3 + 32) % 32];
#endif
}
