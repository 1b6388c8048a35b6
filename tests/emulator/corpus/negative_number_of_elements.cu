// SPDX-License-Identifier: MIT
// Asks for an array of fewer than no elements.
// launch: grid 1, block 8
// arguments: int[8], int[8], int 2
extern "C" __global__ void test(const int* counts, int* last, int reserved) {
  int i = threadIdx.x;
  int n = counts[i] - reserved;
#ifndef FAULTY
  if (n <= 0) return;
#endif
  int* list = new int[n];  // finds: crash
  for (int k = 0; k < n; ++k) list[k] = k;
  last[i] = list[n - 1];
  delete[] list;
}
