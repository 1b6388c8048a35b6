// SPDX-License-Identifier: MIT
// The store of an atomic writes what nobody has written.
// launch: grid 2, block 32
// arguments: int[64]
#include <cuda/atomic>
extern "C" __global__ void test(int* y) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
#ifndef FAULTY
  if (threadIdx.x == 0) count.store(0, cuda::memory_order_relaxed);
  __syncthreads();
#endif
  count.fetch_add(1, cuda::memory_order_relaxed);  // finds: initialisation
  __syncthreads();
  y[blockIdx.x * 32 + threadIdx.x] = count.load(cuda::memory_order_relaxed);
}
