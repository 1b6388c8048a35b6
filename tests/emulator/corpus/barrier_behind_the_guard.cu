// SPDX-License-Identifier: MIT
// Threads without an element have left when the others wait at a barrier.
// reported: github.com, pytorch/FBGEMM pull request 5857, Fix ROCm __syncthreads deadlock
// launch: grid 2, block 64
// arguments: double[100], double[2], int 100
extern "C" __global__ void test(const double* x, double* sums, int n) {
  __shared__ double part[64];
  int i = threadIdx.x, k = blockIdx.x * 64 + i;
#ifdef FAULTY
  if (k >= n) return;
  part[i] = x[k];
#else
  part[i] = k < n ? x[k] : 0;
#endif
  __syncthreads();  // finds: barrier
  for (int step = 32; step > 0; step /= 2) {
    if (i < step) part[i] += part[i + step];
    __syncthreads();
  }
  if (i == 0) sums[blockIdx.x] = part[0];
}
