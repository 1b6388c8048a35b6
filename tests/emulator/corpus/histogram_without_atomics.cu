// SPDX-License-Identifier: MIT
// Threads that meet in a bin lose counts.
// reported: github.com, numba/numba issue 4907, Using shared memory to add numbers results in overwriting
// launch: grid 1, block 64
// arguments: int[64], int[8]
extern "C" __global__ void test(const int* x, int* counts) {
  __shared__ int bins[8];
  int i = threadIdx.x;
  if (i < 8) bins[i] = 0;
  __syncthreads();
#ifdef FAULTY
  bins[x[i] % 8] += 1;  // finds: race
#else
  atomicAdd(&bins[x[i] % 8], 1);
#endif
  __syncthreads();
  if (i < 8) atomicAdd(&counts[i], bins[i]);
}
