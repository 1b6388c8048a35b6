// SPDX-License-Identifier: MIT
// A branch of half of the warp asks all of its lanes.
// launch: grid 1, block 64
// arguments: int[64], int[64]
extern "C" __global__ void test(const int* x, int* y) {
  int i = threadIdx.x;
  unsigned inside = __ballot_sync(0xffffffffu, x[i] % 32 < 16);
  if (x[i] % 32 < 16) {
#ifdef FAULTY
    y[i] = __any_sync(0xffffffffu, x[i] == 40);  // finds: barrier
#else
    y[i] = __any_sync(inside, x[i] == 40);
#endif
  }
  __syncthreads();  // finds: barrier
}
