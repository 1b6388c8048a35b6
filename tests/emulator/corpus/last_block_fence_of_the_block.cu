// SPDX-License-Identifier: MIT
// A fence for the block does not publish to other blocks.
// launch: grid 4, block 32
// arguments: double[64], double[8], int[1]
extern "C" __global__ void test(const double* x, double* sums, int* finished) {
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = x[blockIdx.x];  // finds: race
#ifdef FAULTY
    __threadfence_block();
#else
    __threadfence();
#endif
    if (atomicAdd(finished, 1) == gridDim.x - 1) {
      double sum = 0;
      for (int b = 0; b < gridDim.x; ++b) sum += sums[b];  // finds: race
      sums[4] = sum;
    }
  }
}
