// SPDX-License-Identifier: MIT
// The View is freed before its kernel runs.
// reported: github.com, roastduck/FreeTensor pull request 566, Fix use-after-free
// launch: grid 1, block 32
// arguments: double[32] FREED, int 32
extern "C" __global__ void test(double* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] = 1;  // finds: memory
}
