// SPDX-License-Identifier: MIT
// A volatile flag that all look at stops a search. Without fences it tells nothing else: not what was found.
// launch: grid 4, block 64
// arguments: int[1024], int[1], int[2]
extern "C" __global__ void test(const int* x, volatile int* found, int* where) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    if (*found != 0) break;
    if (x[4 * i + k] == 311) {
#ifdef FAULTY
      where[0] = i;  // finds: race
#endif
      *found = 1;
    }
  }
#ifdef FAULTY
  if (*found != 0 && threadIdx.x == 0) where[1] = where[0];  // finds: race
#endif
}
