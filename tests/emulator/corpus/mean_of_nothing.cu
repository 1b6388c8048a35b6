// SPDX-License-Identifier: MIT
// Divides by the number of elements of a cell that has none.
// launch: grid 1, block 32
// arguments: int[32], int[32], int[32]
extern "C" __global__ void test(const int* sums, const int* counts, int* means) {
  int i = threadIdx.x;
#ifdef FAULTY
  means[i] = sums[i] / counts[i];  // finds: arithmetic
#else
  means[i] = counts[i] == 0 ? 0 : sums[i] / counts[i];
#endif
}
