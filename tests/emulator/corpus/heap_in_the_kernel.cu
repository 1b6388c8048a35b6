// SPDX-License-Identifier: MIT
// Memory from the device's heap is used behind its end.
// launch: grid 1, block 4
// arguments: int[4]
extern "C" __global__ void test(int* x) {
  int* mine = static_cast<int*>(malloc(16));
#ifdef FAULTY
  int n = 5;
#else
  int n = 4;
#endif
  for (int i = 0; i < n; ++i) mine[i] = threadIdx.x;  // finds: memory
  x[threadIdx.x] = mine[3];
  free(mine);
}
