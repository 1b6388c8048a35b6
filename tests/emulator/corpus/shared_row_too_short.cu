// SPDX-License-Identifier: MIT
// Indexes a row of a shared matrix behind its end.
// reported: github.com, xlite-dev/LeetCUDA issue 409, Potential OOB shared memory read in online safe softmax
// launch: grid 1, block 8
// arguments: float[8], int 8
extern "C" __global__ void test(float* x, int n) {
  __shared__ float tile[8][8];
  int i = threadIdx.x;
  for (int k = 0; k < n; ++k) tile[i][k] = x[k];
  __syncthreads();
#ifdef FAULTY
  x[i] = tile[n][i];  // finds: memory
#else
  x[i] = tile[n - 1][i];
#endif
}
