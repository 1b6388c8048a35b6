// SPDX-License-Identifier: MIT
// A sum of floating-point numbers has other last bits in another order; one of integers has not.
// launch: grid 2, block 64
// arguments: float[128], float[1], int[1]
extern "C" __global__ void test(const float* x, float* sum, int* parts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULTY
  atomicAdd(sum, x[i] / 3);  // finds: thread_order
#else
  atomicAdd(parts, static_cast<int>(x[i] / 3 * 1024));
#endif
}
