// SPDX-License-Identifier: MIT
// A pointer runs over the end of a variable of the device, into the next one.
// launch: grid 1, block 8
// arguments: int[8], int[8]
__device__ int before[8], counters[4], behind[8];
extern "C" __global__ void test(const int* x, int* y) {
  int t = threadIdx.x;
  int* numbers = counters;
  before[t] = behind[t] = x[t];
#ifdef FAULTY
  numbers[t] = x[t];  // finds: memory
#else
  if (t < 4) numbers[t] = x[t];
#endif
  __syncthreads();
  y[t] = before[t] + behind[t] + numbers[t / 4];
}
