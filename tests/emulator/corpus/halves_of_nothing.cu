// SPDX-License-Identifier: MIT
// Adds up by halves, and never comes to an end where there is nothing to halve.
// launch: grid 1, block 8
// arguments: int[8], int[8]
#ifdef FAULTY
__device__ int sum(const int* x, int n) { return n == 1 ? *x : sum(x, n / 2) + sum(x + n / 2, n / 2); }  // finds: crash
#else
__device__ int sum(const int* x, int n) { return n < 2 ? n * *x : sum(x, n / 2) + sum(x + n / 2, n / 2); }
#endif
extern "C" __global__ void test(const int* x, int* sums) { sums[threadIdx.x] = sum(x, 8 >> threadIdx.x); }
