// SPDX-License-Identifier: MIT
// A counter of the module, without an atomic function.
// launch: grid 1, block 64
// arguments: int[1]
__device__ int counter;
extern "C" __global__ void test(int* out) {
#ifdef FAULTY
  counter = counter + 1;  // finds: race
#else
  atomicAdd(&counter, 1);
#endif
}
