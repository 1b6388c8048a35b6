// SPDX-License-Identifier: MIT
// More threads than elements, and nobody looks.
// reported: github.com, risc0/risc0 issue 3803, CUDA: eltwise_zeroize_fp/_fpext have no bounds check
// launch: grid 1, block 96
// arguments: float[90]
extern "C" __global__ void test(float* x) {
  int i = threadIdx.x;
#ifdef FAULTY
  x[i] = 1.0f;  // finds: memory
#else
  if (i < 90) x[i] = 1.0f;
#endif
}
