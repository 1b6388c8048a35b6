// SPDX-License-Identifier: MIT
// Each block adds to one counter without an atomic function.
// reported: github.com, scikit-hep/awkward pull request 2225, ByteMaskedArray numnull Cuda kernel
// launch: grid 4, block 32
// arguments: int[1]
extern "C" __global__ void test(int* count) {
  if (threadIdx.x == 0) {
#ifdef FAULTY
    count[0] += 1;  // finds: race
#else
    atomicAdd(count, 1);
#endif
  }
}
