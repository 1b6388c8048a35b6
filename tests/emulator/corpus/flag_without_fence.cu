// SPDX-License-Identifier: MIT
// A volatile flag tells the next block that data is there, without a fence.
// reported: github.com, matteospanio/torchfx issue 96, Fused scan: harden inter-block status protocol
// launch: grid 4, block 1, in order
// arguments: int[8], double[8]
extern "C" __global__ void test(volatile int* flags, double* data) {
  int b = blockIdx.x;
  double before = 0;
  if (b > 0) {
    while (flags[b - 1] != 100) {  // finds: race
    }
    __threadfence();
    before = data[b - 1];  // finds: race
  }
  data[b] = before + 1;  // finds: race
#ifndef FAULTY
  __threadfence();
#endif
  flags[b] = 100;  // finds: race
}
