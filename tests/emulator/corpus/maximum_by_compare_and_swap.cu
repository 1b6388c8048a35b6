// SPDX-License-Identifier: MIT
// The greatest float, as bits: most threads find that there is nothing to do, and never swap.
// launch: grid 4, block 64
// arguments: float[256], float[1], float[4]
__device__ void raise(float* address, float value) {
  int* word = (int*)address;
  int old = *word;
  while (__int_as_float(old) < value) {
    int assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(value));  // finds: race
    if (old == assumed) break;
  }
}
extern "C" __global__ void test(const float* x, float* greatest, float* seen) {
  raise(greatest, x[255 - threadIdx.x]);
  raise(greatest, x[threadIdx.x]);
#ifdef FAULTY
  if (threadIdx.x == 0) seen[blockIdx.x] = greatest[0];  // finds: race
#endif
}
