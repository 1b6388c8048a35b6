// SPDX-License-Identifier: MIT
// All threads write one structure.
// launch: grid 1, block 8
// arguments: double[64], double[8]
struct State { double values[8]; };
extern "C" __global__ void test(const State* from, State* to) {
#ifdef FAULTY
  to[0] = from[threadIdx.x];  // finds: race
#else
  if (threadIdx.x == 3) to[0] = from[threadIdx.x];
#endif
}
