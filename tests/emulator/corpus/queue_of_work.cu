// SPDX-License-Identifier: MIT
// Blocks stay and take pieces of work from one counter; one thread takes for its block.
// launch: grid 3, block 32
// arguments: int[1], int[256], int[256]
extern "C" __global__ void test(int* next, const int* x, int* y) {
  __shared__ int piece;
  while (true) {
    if (threadIdx.x == 0) piece = atomicAdd(next, 1);  // finds: race
    __syncthreads();                                   // finds: barrier
    int taken = piece;                                 // finds: race
    if (taken >= 8) return;
    y[taken * 32 + threadIdx.x] = 2 * x[taken * 32 + threadIdx.x];
#ifndef FAULTY
    __syncthreads();
#endif
  }
}
