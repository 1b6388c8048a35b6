// SPDX-License-Identifier: MIT
// Reads a View that nobody has written.
// reported: github.com, NVIDIA/cudf issue 8873, Uninitialized memory reads in fillna
// launch: grid 1, block 32
// arguments: double[32] UNWRITTEN, double[32]
extern "C" __global__ void test(const double* x, double* y) {
  y[threadIdx.x] = x[threadIdx.x];  // finds: initialisation
}
