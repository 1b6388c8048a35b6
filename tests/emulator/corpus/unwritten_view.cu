// SPDX-License-Identifier: MIT
// Reads a View that nobody has written.
// launch: grid 1, block 32
// arguments: double[32] UNWRITTEN, double[32]
extern "C" __global__ void test(const double* x, double* y) {
  y[threadIdx.x] = x[threadIdx.x];  // finds: initialisation
}
