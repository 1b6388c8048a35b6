// SPDX-License-Identifier: MIT
// A bitonic sort: each step exchanges pairs, and the next one's pairs are others.
// launch: grid 1, block 64
// arguments: int[64], int[64]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = (x[t] * 37) % 64;
  __syncthreads();
  for (int size = 2; size <= 64; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      int other = t ^ stride;
      if (other > t) {
        int own = s[t], its = s[other];  // finds: race
        bool swaps = ((t & size) == 0) == (own > its);
        s[t] = swaps ? its : own;      // finds: race
        s[other] = swaps ? own : its;  // finds: race
      }
#ifndef FAULTY
      __syncthreads();
#endif
    }
  }
#ifdef FAULTY
  __syncthreads();
#endif
  y[t] = s[t];
}
