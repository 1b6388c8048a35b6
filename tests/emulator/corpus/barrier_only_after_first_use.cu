// SPDX-License-Identifier: MIT
// The barrier stands behind the read that needs it.
// launch: grid 1, block 64
// arguments: float[64], float[64]
extern "C" __global__ void test(const float* x, float* y) {
  extern __shared__ float unused[];
  __shared__ float s[64];
  int i = threadIdx.x;
  s[i] = x[i];  // finds: race
#ifdef FAULTY
  float right = s[(i + 1) % 64];  // finds: race, initialisation
  __syncthreads();
#else
  __syncthreads();
  float right = s[(i + 1) % 64];
#endif
  y[i] = right;
}
