// SPDX-License-Identifier: MIT
// The launch asks for less shared memory than the kernel uses.
// launch: grid 2, block 32, shared 128
// arguments: float[32]
extern __shared__ float s[];
extern "C" __global__ void test(const float* x) {
  int i = threadIdx.x;
#ifdef FAULTY
  s[i + 1] = x[i];  // finds: memory
#else
  s[i] = x[i];
#endif
}
