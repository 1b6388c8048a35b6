// SPDX-License-Identifier: MIT
// The rounds of a tree reduction are not separated.
// launch: grid 2, block 64
// arguments: double[128], double[2]
extern "C" __global__ void test(const double* x, double* sums) {
  __shared__ double s[64];
  int i = threadIdx.x;
  s[i] = x[blockIdx.x * 64 + i];
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (i < k) s[i] += s[i + k];  // finds: race
#ifndef FAULTY
    __syncthreads();
#endif
  }
  __syncthreads();
  if (i == 0) sums[blockIdx.x] = s[0];
}
