// SPDX-License-Identifier: MIT
// A stencil reads the element behind the last.
// reported: github.com, JuliaParallel/rodinia issue 12, Out-of-bounds neighbor reads occur before boundary correction
// launch: grid 2, block 32
// arguments: double[64], double[64], int 64
__device__ double difference(const double* x, int i) {
  return x[i + 1] - x[i];  // finds: memory
}
extern "C" __global__ void test(const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULTY
  y[i] = difference(x, i);
#else
  y[i] = i + 1 < n ? difference(x, i) : 0.0;
#endif
}
