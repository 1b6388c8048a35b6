// SPDX-License-Identifier: MIT
// Only those that have an element come to the barrier behind its tile.
// reported: github.com, tile-ai/tilelang issue 1026, Wrong __syncthreads() added make GPU hang
// launch: grid 1, block 64
// arguments: float[32], float[32]
extern "C" __global__ void test(const float* x, float* y) {
  __shared__ float tile[32];
  int i = threadIdx.x;
  if (i < 32) {
    tile[i] = x[i];
#ifdef FAULTY
    __syncthreads();  // finds: barrier
#endif
  }
#ifndef FAULTY
  __syncthreads();
#endif
  if (i < 32) y[i] = tile[31 - i];
}
