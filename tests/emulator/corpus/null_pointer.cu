// SPDX-License-Identifier: MIT
// A pointer that nobody set.
// launch: grid 1, block 1
// arguments: double[1], int 0
extern "C" __global__ void test(double* x, int n) {
#ifdef FAULTY
  double* p = n > 0 ? x : nullptr;
#else
  double* p = x;
#endif
  p[0] = 1;  // finds: memory
}
