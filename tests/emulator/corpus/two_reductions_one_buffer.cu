// SPDX-License-Identifier: MIT
// The second reduction loads its buffer while the first's result is still read.
// reported: github.com, NVIDIA/Fuser pull request 489, add sync to warp reduction runtime avoid smem data race
// launch: grid 1, block 64
// arguments: double[64], double[64], double[64]
__device__ double block_sum(double value, double* buffer) {
  int i = threadIdx.x;
  buffer[i] = value;  // finds: race
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (i < k) buffer[i] += buffer[i + k];
    __syncthreads();
  }
  return buffer[0];  // finds: race
}
extern "C" __global__ void test(const double* x, const double* y, double* out) {
  __shared__ double buffer[64];
  double a = block_sum(x[threadIdx.x], buffer);
#ifndef FAULTY
  __syncthreads();
#endif
  double b = block_sum(y[threadIdx.x], buffer);
  out[threadIdx.x] = a * b;
}
