// SPDX-License-Identifier: MIT
// Each thread makes as many rounds as its row has elements, and each round has a barrier.
// launch: grid 1, block 8
// arguments: int[8], int[1]
extern "C" __global__ void test(const int* lengths, int* out) {
  __shared__ int longest, sum;
  int i = threadIdx.x;
  if (i == 0) longest = sum = 0;
  __syncthreads();
  atomicMax(&longest, lengths[i]);
  __syncthreads();
#ifdef FAULTY
  int rounds = lengths[i];
#else
  int rounds = longest;
#endif
  for (int k = 0; k < rounds; ++k) {
    if (k < lengths[i]) atomicAdd(&sum, k);
    __syncthreads();  // finds: barrier
  }
  __syncthreads();  // finds: barrier
  if (i == 0) out[0] = sum;
}
