// SPDX-License-Identifier: MIT
// Adds atomically to what is not set to zero first.
// reported: github.com, NVIDIA/cutlass issue 2861, HostRowReduce not init
// launch: grid 1, block 32
// arguments: int[1] UNWRITTEN
extern "C" __global__ void test(int* sum) {
  atomicAdd(sum, 1);  // finds: initialisation
}
