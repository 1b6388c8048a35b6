// SPDX-License-Identifier: MIT
// A look whether there is something to do spares most of the atomic maxima; a plain write spares too much.
// launch: grid 2, block 64
// arguments: int[128], int[1]
extern "C" __global__ void test(const int* x, int* greatest) {
  int value = x[blockIdx.x * blockDim.x + threadIdx.x];
  if (greatest[0] < value) {  // finds: race
#ifdef FAULTY
    greatest[0] = value;  // finds: race
#else
    atomicMax(greatest, value);
#endif
  }
}
