// SPDX-License-Identifier: MIT
// Row and column are exchanged in a matrix that is not square.
// launch: grid 1, block 8x4
// arguments: double[32], double[32], int 8, int 4
extern "C" __global__ void test(const double* a, double* b, int nx, int ny) {
  int i = threadIdx.x, j = threadIdx.y;
#ifdef FAULTY
  b[j * nx + i] = a[i * nx + j];  // finds: memory
#else
  b[j * nx + i] = a[i * ny + j];
#endif
}
