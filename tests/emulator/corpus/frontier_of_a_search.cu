// SPDX-License-Identifier: MIT
// Breadth-first search: a node belongs to who reaches it first. It is looked at plainly, and taken by a swap.
// launch: grid 2, block 32
// arguments: int[64], int[8], int[64], int[1]
extern "C" __global__ void test(const int* edges, int* distance, int* next, int* count) {
  int node = edges[blockIdx.x * blockDim.x + threadIdx.x] % 8;
  int seen = distance[node];  // finds: race
  if (seen == 100) return;
#ifdef FAULTY
  distance[node] = 100;  // finds: race
  next[atomicAdd(count, 1)] = node;
#else
  if (atomicCAS(&distance[node], seen, 100) == seen) next[atomicAdd(count, 1)] = node;
#endif
}
