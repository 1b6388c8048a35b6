// SPDX-License-Identifier: MIT
// atomicExch writes what nobody has written; atomicAdd adds to it.
// launch: grid 2, block 32
// arguments: int[32]
extern "C" __global__ void test(int* y) {
  __shared__ int count[2];
  int t = threadIdx.x;
#ifdef FAULTY
  if (t < 2) atomicAdd(&count[t], 0);  // finds: initialisation
#else
  if (t < 2) atomicExch(&count[t], 0);
#endif
  __syncthreads();
  atomicAdd(&count[t % 2], 1);
  __syncthreads();
  if (blockIdx.x == 0) y[t] = count[t % 2];
}
