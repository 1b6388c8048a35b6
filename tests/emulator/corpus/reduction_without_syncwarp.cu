// SPDX-License-Identifier: MIT
// Rounds of a reduction within a warp rely on lockstep.
// reported: github.com, brucefan1983/GPUMD issue 36, removing all warp-synchronous code
// launch: grid 1, block 64
// arguments: double[64], double[64]
extern "C" __global__ void test(const double* x, double* y) {
  __shared__ double s[64];
  int i = threadIdx.x, lane = i & 31;
  double* w = s + (i & ~31);
  w[lane] = x[i];
  __syncwarp();
  for (int k = 16; k > 0; k /= 2) {
#ifdef FAULTY
    if (lane < k) w[lane] += w[lane + k];  // finds: race
#else
    double v = lane < k ? w[lane] + w[lane + k] : 0;
    __syncwarp();
    if (lane < k) w[lane] = v;
    __syncwarp();
#endif
  }
  __syncwarp();
  y[i] = w[0];
}
