// SPDX-License-Identifier: MIT
// Memory of the device's heap is freed twice.
// launch: grid 1, block 1
// arguments: int[1]
extern "C" __global__ void test(int* x) {
  int* p = static_cast<int*>(malloc(16));
  p[0] = 3;
  x[0] = p[0];
  free(p);
#ifdef FAULTY
  free(p);  // finds: memory
#endif
}
