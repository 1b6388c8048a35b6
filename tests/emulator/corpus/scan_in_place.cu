// SPDX-License-Identifier: MIT
// Hillis and Steele's scan in one buffer.
// reported: github.com, ORNL/HeCBench issue 255, Shared memory race conditions in morphology-cuda
// launch: grid 1, block 64
// arguments: int[64]
extern "C" __global__ void test(int* x) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = x[i];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
#ifdef FAULTY
    if (i >= d) s[i] += s[i - d];  // finds: race
#else
    int add = i >= d ? s[i - d] : 0;
    __syncthreads();
    s[i] += add;
#endif
    __syncthreads();
  }
  x[i] = s[i];
}
