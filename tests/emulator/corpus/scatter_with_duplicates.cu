// SPDX-License-Identifier: MIT
// Particles deposit into cells that others share.
// reported: github.com, VITA-Group/LightGaussian issue 24, multithread add operation in kernel 'renderCUDA_count'
// launch: grid 2, block 32
// arguments: int[64], float[16]
extern "C" __global__ void test(const int* cells, float* density) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULTY
  density[cells[i] % 16] += 1.0f;  // finds: race
#else
  atomicAdd(&density[cells[i] % 16], 1.0f);
#endif
}
