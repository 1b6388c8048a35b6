// SPDX-License-Identifier: MIT
// A tile with a halo, whose corners nobody loads.
// reported: github.com, dlsys-course/examples issue 1, Shared memory need initialization with 0 before access
// launch: grid 1, block 8x8
// arguments: float[100], float[64]
extern "C" __global__ void test(const float* x, float* y) {
  __shared__ float tile[10][10];
  int i = threadIdx.x + 1, j = threadIdx.y + 1;
  tile[j][i] = x[j * 10 + i];
  if (i == 1) tile[j][0] = x[j * 10];
  if (i == 8) tile[j][9] = x[j * 10 + 9];
  if (j == 1) tile[0][i] = x[i];
  if (j == 8) tile[9][i] = x[90 + i];
#ifndef FAULTY
  if (i == 1 && j == 1) tile[0][0] = x[0], tile[0][9] = x[9], tile[9][0] = x[90], tile[9][9] = x[99];
#endif
  __syncthreads();
  y[(j - 1) * 8 + i - 1] = tile[j - 1][i - 1] + tile[j + 1][i + 1];  // finds: initialisation
}
