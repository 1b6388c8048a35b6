// SPDX-License-Identifier: MIT
// Elements are appended by a counter, and their order is that of the threads.
// launch: grid 1, block 32
// arguments: int[32], int[1], int[32]
extern "C" __global__ void test(const int* x, int* count, int* list) {
  int i = threadIdx.x;
  bool kept = x[i] % 3 == 1;
#ifdef FAULTY
  if (kept) list[atomicAdd(count, 1)] = i;  // finds: thread_order
#else
  unsigned all = __ballot_sync(0xffffffffu, kept);
  if (kept) list[__popc(all & ((1u << i) - 1))] = i;
  if (i == 0) *count = __popc(all);
#endif
}
