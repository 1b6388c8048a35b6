// SPDX-License-Identifier: MIT
// One thread writes a double, another one half of it.
// launch: grid 1, block 2
// arguments: double[2]
extern "C" __global__ void test(double* x) {
  int* halves = reinterpret_cast<int*>(x);
#ifdef FAULTY
  if (threadIdx.x == 0) x[0] = 1;       // finds: race
  if (threadIdx.x == 1) halves[1] = 5;  // finds: race
#else
  if (threadIdx.x == 0) x[0] = 1;
  if (threadIdx.x == 1) halves[2] = 5;
#endif
}
