// SPDX-License-Identifier: MIT
// All lanes read a value that one of them then replaces.
// reported: github.com, kokkos/kokkos pull request 376, Fixed race condition in team_broadcast
// launch: grid 1, block 32
// arguments: int[32]
extern "C" __global__ void test(int* x) {
  __shared__ int s;
  int i = threadIdx.x;
  if (i == 0) s = 7;
  __syncwarp();
  x[i] = s;  // finds: race
#ifndef FAULTY
  __syncwarp();
#endif
  if (i == 5) s = i;  // finds: race
}
