// SPDX-License-Identifier: MIT
// Two threads write each element.
// reported: github.com, pytorch/pytorch pull request 165762, Fix race condition and make CUDA kthvalue deterministic
// launch: grid 1, block 64
// arguments: double[64]
extern "C" __global__ void test(double* y) {
  int i = threadIdx.x;
#ifdef FAULTY
  y[i / 2] = i;  // finds: race
#else
  if (i % 2 == 0) y[i / 2] = i;
#endif
}
