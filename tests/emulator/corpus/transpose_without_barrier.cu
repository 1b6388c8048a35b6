// SPDX-License-Identifier: MIT
// A transposition through shared memory.
// launch: grid 1, block 8x8
// arguments: float[64], float[64]
extern "C" __global__ void test(const float* a, float* b) {
  __shared__ float tile[8][9];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 8 + threadIdx.x];  // finds: race
#ifndef FAULTY
  __syncthreads();
#endif
  b[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // finds: race, initialisation
}
