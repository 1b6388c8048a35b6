// SPDX-License-Identifier: MIT
// The launch asks for no shared memory at all.
// launch: grid 1, block 4
// arguments: int[4]
extern __shared__ int s[];
extern "C" __global__ void test(int* x) {
#ifdef FAULTY
  s[threadIdx.x] = x[threadIdx.x];  // finds: memory
#else
  x[threadIdx.x] = 1;
#endif
}
