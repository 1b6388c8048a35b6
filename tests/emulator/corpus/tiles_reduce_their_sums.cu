// SPDX-License-Identifier: MIT
// Tiles of a warp reduce by shuffles; their sums meet in shared memory.
// launch: grid 2, block 128
// arguments: int[256], int[2]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void test(const int* x, int* sums) {
  __shared__ int parts[4];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int sum = cg::reduce(tile, x[blockIdx.x * 128 + block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0) parts[tile.meta_group_rank()] = sum;  // finds: race
#ifndef FAULTY
  block.sync();
#endif
  if (block.thread_rank() == 0) {
    for (int i = 1; i < 4; ++i) sum += parts[i];  // finds: race, initialisation
    sums[blockIdx.x] = sum;
  }
}
