// SPDX-License-Identifier: MIT
// Sums the whole array, of which the last part was not loaded.
// reported: github.com, srush/GPU-Puzzles issue 20, Puzzle 12: question regarding shared memory
// launch: grid 1, block 32
// arguments: double[48], double[1], int 48
extern "C" __global__ void test(const double* x, double* sum, int n) {
  __shared__ double s[64];
#ifdef FAULTY
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
#else
  for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = i < n ? x[i] : 0;
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
    double total = 0;
    for (int i = 0; i < 64; ++i) total += s[i];  // finds: initialisation
    sum[0] = total;
  }
}
