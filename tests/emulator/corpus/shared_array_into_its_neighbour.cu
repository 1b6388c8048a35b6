// SPDX-License-Identifier: MIT
// Writes behind one shared array, where another one may lie.
// launch: grid 1, block 32
// arguments: double[32], int 32
__device__ double* advance(double* p, int k) { return p + k; }
extern "C" __global__ void test(double* x, int n) {
  __shared__ double a[32];
  __shared__ double b[32];
  int i = threadIdx.x;
  a[i] = b[i] = x[i];  // finds: race
#ifdef FAULTY
  double* p = advance(a, n - 31);
#else
  double* p = advance(a, n - 32);
#endif
  p[i] = 1;  // finds: memory, race
  __syncthreads();
  x[i] = a[i] + b[i];
}
