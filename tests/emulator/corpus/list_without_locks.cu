// SPDX-License-Identifier: MIT
// A node is put in front of a list by swapping its head. Who walks along the list must come later.
// launch: grid 2, block 32
// arguments: int[64], int[64], int[64]
__device__ int head = -1;
extern "C" __global__ void test(const int* x, int* next, int* lengths) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  int old = head, seen;
  do {
    seen = old;
    next[node] = seen;  // finds: race
#ifndef FAULTY
    __threadfence();
#endif
    old = atomicCAS(&head, seen, node);
  } while (old != seen);
  if (x[node] == 63) {
    int at = atomicAdd(&head, 0);
    __threadfence();
    for (int i = 0; i < 3 && at >= 0; ++i) at = next[at];  // finds: race
    lengths[node] = at;
  }
}
