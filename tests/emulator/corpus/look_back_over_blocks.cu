// SPDX-License-Identifier: MIT
// A scan in one pass: each block takes a number, and waits for the sum of those before it.
// launch: grid 5, block 32
// arguments: int[160], int[160], int[1], int[8], int[8]
extern "C" __global__ void test(const int* x, int* y, int* numbers, int* ready, int* sums) {
  __shared__ int number, before;
  int t = threadIdx.x;
  if (t == 0) number = atomicAdd(numbers, 1);
  __syncthreads();
  int value = x[number * 32 + t];
  for (int distance = 1; distance < 32; distance *= 2) {
    int other = __shfl_up_sync(0xffffffffu, value, distance);
    if (t >= distance) value += other;
  }
  if (t == 31) {
    before = 0;
    if (number > 0) {
      while (atomicAdd(&ready[number - 1], 0) < 100) {
      }
      __threadfence();
      before = sums[number - 1];  // finds: race
    }
    sums[number] = before + value;  // finds: race
#ifndef FAULTY
    __threadfence();
#endif
    atomicExch(&ready[number], 100);
  }
  __syncthreads();
  y[number * 32 + t] = before + value;
}
