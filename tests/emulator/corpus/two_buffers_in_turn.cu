// SPDX-License-Identifier: MIT
// With two buffers one barrier per step is enough; with one it is not.
// launch: grid 1, block 64
// arguments: int[256], int[64]
extern "C" __global__ void test(const int* x, int* y) {
  __shared__ int buffer[2][64];
  int t = threadIdx.x, sum = 0;
  for (int step = 0; step < 4; ++step) {
#ifdef FAULTY
    int* now = buffer[0];
#else
    int* now = buffer[step % 2];
#endif
    now[t] = x[64 * step + t];  // finds: race
    __syncthreads();
    sum += now[63 - t];  // finds: race
  }
  y[t] = sum;
}
