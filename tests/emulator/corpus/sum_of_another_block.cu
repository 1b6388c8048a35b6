// SPDX-License-Identifier: MIT
// A block reads what another one writes in the same launch.
// launch: grid 4, block 16
// arguments: double[64], double[4]
extern "C" __global__ void test(double* x, double* sums) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) sums[b] = x[16 * b];  // finds: race
  __syncthreads();
#ifdef FAULTY
  double offset = b > 0 ? sums[b - 1] : 0;  // finds: race
#else
  double offset = b > 0 ? x[16 * (b - 1)] : 0;
#endif
  double value = offset + threadIdx.x;
  if (value < 0) sums[b] = value;
}
