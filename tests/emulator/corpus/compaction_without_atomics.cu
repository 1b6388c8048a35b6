// SPDX-License-Identifier: MIT
// Threads take places in the output from one plain counter.
// launch: grid 1, block 64
// arguments: int[64], int[64], int[1]
extern "C" __global__ void test(const int* x, int* out, int* count) {
  if (x[threadIdx.x] % 2 == 0) {
#ifdef FAULTY
    int place = count[0]++;  // finds: race
    if (place < 64) out[place] = x[threadIdx.x];
#else
    out[atomicAdd(count, 1)] = x[threadIdx.x];
#endif
  }
}
