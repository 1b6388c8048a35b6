// SPDX-License-Identifier: MIT
// Lanes that are together count by one addition of their leader.
// launch: grid 2, block 64
// arguments: int[128], int[128], int[1]
__device__ int place_for_all_of(int* count) {
  unsigned lanes = __activemask();
  int lane = threadIdx.x % 32, leader = __ffs(lanes) - 1, first = 0;
  if (lane == leader) {
#ifdef FAULTY
    first = count[0];           // finds: race
    count[0] += __popc(lanes);  // finds: race
#else
    first = atomicAdd(count, __popc(lanes));
#endif
  }
  return __shfl_sync(lanes, first, leader) + __popc(lanes & ((1u << lane) - 1));
}
extern "C" __global__ void test(const int* x, int* out, int* count) {
  int value = x[blockIdx.x * blockDim.x + threadIdx.x];
  if (value % 3 == 0) out[place_for_all_of(count)] = value;
}
