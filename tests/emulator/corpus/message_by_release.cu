// SPDX-License-Identifier: MIT
// A value is handed over by the release of a flag, and its acquisition. A relaxed flag hands over nothing else.
// launch: grid 2, block 64
// arguments: int[2]
#include <cuda/atomic>
extern "C" __global__ void test(int* y) {
  __shared__ int message;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> sent;
  if (threadIdx.x == 0) sent.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 5) {
    message = 7;  // finds: race
#ifdef FAULTY
    sent.store(1, cuda::memory_order_relaxed);
#else
    sent.store(1, cuda::memory_order_release);
#endif
  }
  if (threadIdx.x == 40) {
    while (sent.load(cuda::memory_order_acquire) == 0) {
    }
    y[blockIdx.x] = message;  // finds: race
  }
}
