// SPDX-License-Identifier: MIT
// Traps at a kind of particle that it has no case for.
// launch: grid 1, block 4
// arguments: int[4], double[4]
extern "C" __global__ void test(const int* kinds, double* masses) {
  int i = threadIdx.x;
  __syncthreads();
  switch (kinds[i]) {
    case 0: masses[i] = 1; break;
    case 1: masses[i] = 1836; break;
    case 2: masses[i] = 3672; break;
#ifndef FAULTY
    case 3: masses[i] = 7294; break;
#endif
    default: __trap();  // finds: assertion
  }
}
