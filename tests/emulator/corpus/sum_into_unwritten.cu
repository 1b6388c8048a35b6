// SPDX-License-Identifier: MIT
// Adds to what is not set to zero first.
// reported: github.com, ORNL/HeCBench pull request 289, Initialize buffer after allocation
// launch: grid 1, block 32
// arguments: double[32] unwritten, double[32]
extern "C" __global__ void test(double* sums, const double* x) {
  int i = threadIdx.x;
#ifndef FAULTY
  sums[i] = 0;
#endif
  sums[i] += x[i];  // finds: initialisation
}
