// SPDX-License-Identifier: MIT
// The place in the output is read plainly, and counted afterwards.
// launch: grid 1, block 64
// arguments: int[64], int[64], int[1]
extern "C" __global__ void test(const int* x, int* out, int* count) {
  if (x[threadIdx.x] % 2 == 0) {
#ifdef FAULTY
    int place = count[0];  // finds: race
    atomicAdd(count, 1);   // finds: race
#else
    int place = atomicAdd(count, 1);
#endif
    out[place] = x[threadIdx.x];
  }
}
