// SPDX-License-Identifier: MIT
// All threads copy to the same place.
// launch: grid 1, block 8
// arguments: double[64], double[8]
extern "C" __global__ void test(const double* x, double* y) {
#ifdef FAULTY
  memcpy(y, x + 8 * threadIdx.x, 64);  // finds: race
#else
  if (threadIdx.x == 0) memcpy(y, x, 64);
#endif
}
