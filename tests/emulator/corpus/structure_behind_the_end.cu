// SPDX-License-Identifier: MIT
// Copies one structure too many.
// launch: grid 1, block 9
// arguments: double[64], double[64]
struct Particle { double x[3], v[3], charge, mass; };
extern "C" __global__ void test(const Particle* from, Particle* to) {
  int i = threadIdx.x;
#ifdef FAULTY
  to[i] = from[i];  // finds: memory
#else
  if (i < 8) to[i] = from[i];
#endif
}
