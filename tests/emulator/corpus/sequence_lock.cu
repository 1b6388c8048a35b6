// SPDX-License-Identifier: MIT
// Readers try again when a writer was there meanwhile: the sequence is odd then, or has changed.
// launch: grid 2, block 64
// arguments: int[1], int[2], int[128]
extern "C" __global__ void test(unsigned* sequence, volatile int* pair, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 7) {
    unsigned before;
    do {
      before = atomicAdd(sequence, 0u);
    } while (before % 2 != 0 || atomicCAS(sequence, before, before + 1) != before);
#ifndef FAULTY
    __threadfence();
#endif
    pair[0] = i;  // finds: race
    pair[1] = i;  // finds: race
#ifndef FAULTY
    __threadfence();
#endif
    atomicAdd(sequence, 1u);
  } else {
    unsigned before;
    do {
      before = atomicAdd(sequence, 0u);
#ifndef FAULTY
      __threadfence();
#endif
      y[i] = pair[0] + pair[1];  // finds: race
#ifndef FAULTY
      __threadfence();
#endif
    } while (before % 2 != 0 || atomicAdd(sequence, 0u) != before);
  }
}
