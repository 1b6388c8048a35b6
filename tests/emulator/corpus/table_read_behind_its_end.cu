// SPDX-License-Identifier: MIT
// A table of the module, with values, is read through a pointer for one more than it has.
// launch: grid 1, block 8
// arguments: float[8]
static __device__ float weights[7] = {1, 2, 3, 4, 3, 2, 1};
__device__ float others[8] = {1, 1, 1, 1, 1, 1, 1, 1};
__device__ float weight(const float* table, int i) {
  return table[i];  // finds: memory
}
extern "C" __global__ void test(float* y) {
  int t = threadIdx.x;
#ifdef FAULTY
  y[t] = weight(weights, t) * others[t];
#else
  y[t] = t < 7 ? weight(weights, t) * others[t] : 0;
#endif
}
