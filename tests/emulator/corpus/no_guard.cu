// SPDX-License-Identifier: MIT
// More threads than elements, and nobody looks.
// launch: grid 1, block 96
// arguments: float[90]
extern "C" __global__ void test(float* x) {
  int i = threadIdx.x;
#ifdef FAULTY
  x[i] = 1.0f;  // finds: memory
#else
  if (i < 90) x[i] = 1.0f;
#endif
}
