// SPDX-License-Identifier: MIT
// One thread waits at a barrier with the lock that the others need to come there.
// reported: github.com, xlite-dev/LeetCUDA issue 391, Why didn't tl.debug_barrier() cause deadlock?
// launch: grid 1, block 64
// arguments: int[1], int[1], int[64]
extern "C" __global__ void test(int* lock, int* next, int* order) {
  while (atomicCAS(lock, 0, 1) != 0) {  // finds: deadlock
  }
  __threadfence();
  order[*next] = threadIdx.x;
  *next += 1;
  __threadfence();
#ifdef FAULTY
  __syncthreads();
  atomicExch(lock, 0);
#else
  atomicExch(lock, 0);
  __syncthreads();
#endif
}
