// SPDX-License-Identifier: MIT
// Four floats at a time, and a count in floats.
// reported: github.com, xlite-dev/LeetCUDA pull request 421, correct boundary checks in vectorized elementwise kernels
// launch: grid 1, block 20
// arguments: float[64], float[64]
extern "C" __global__ void test(const float4* x, float4* y) {
#ifdef FAULTY
  y[threadIdx.x] = x[threadIdx.x];  // finds: memory
#else
  if (threadIdx.x < 16) y[threadIdx.x] = x[threadIdx.x];
#endif
}
