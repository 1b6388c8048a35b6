// SPDX-License-Identifier: MIT
// Who finds nothing to do leaves with the lock.
// launch: grid 1, block 32
// arguments: int[32], int[1], int[1]
extern "C" __global__ void test(const int* x, int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {  // finds: deadlock
  }
  __threadfence();
#ifdef FAULTY
  if (x[threadIdx.x] == 7) return;
  *sum += x[threadIdx.x];
#else
  if (x[threadIdx.x] != 7) *sum += x[threadIdx.x];
#endif
  __threadfence();
  atomicExch(lock, 0);
}
