// SPDX-License-Identifier: MIT
// The warp-synchronous end of an old reduction: volatile instead of barriers between lanes.
// reported: github.com, CanReader/FastNN issue 8, kernel_sum warp reduction is undefined behaviour on Volta and newer
// launch: grid 2, block 64
// arguments: int[128], int[2]
__device__ void last_warp(volatile int* s, int i) {
#ifdef FAULTY
  s[i] += s[i + 32];  // finds: race
  s[i] += s[i + 16];  // finds: race
  s[i] += s[i + 8];   // finds: race
  s[i] += s[i + 4];   // finds: race
  s[i] += s[i + 2];   // finds: race
  s[i] += s[i + 1];   // finds: race
#else
  for (int k = 32; k > 0; k /= 2) {
    int sum = s[i] + s[i + k];
    __syncwarp();
    s[i] = sum;
    __syncwarp();
  }
#endif
}
extern "C" __global__ void test(const int* x, int* sums) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = x[blockIdx.x * 64 + i];
  __syncthreads();
  if (i < 32) last_warp(s, i);
  if (i == 0) sums[blockIdx.x] = s[0];
}
