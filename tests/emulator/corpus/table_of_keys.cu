// SPDX-License-Identifier: MIT
// A hash table: places are looked at plainly, and taken by a swap; numbers of equal keys are added.
// launch: grid 1, block 64
// arguments: int[64], int[16]
extern "C" __global__ void test(const int* x, int* out) {
  __shared__ int keys[16], numbers[16];
  int t = threadIdx.x;
  if (t < 16) keys[t] = -1;
#ifndef FAULTY
  if (t < 16) numbers[t] = 0;
#endif
  __syncthreads();
  int key = x[t] % 5;
  for (int place = key * 7 % 16;; place = (place + 1) % 16) {
    int found = keys[place];
    if (found == -1) found = atomicCAS(&keys[place], -1, key);
    if (found == -1 || found == key) {
      atomicAdd(&numbers[place], 1);  // finds: initialisation
      break;
    }
  }
  __syncthreads();
  if (t < 16 && keys[t] != -1) out[t] = numbers[t];
}
