// SPDX-License-Identifier: MIT
// Dynamic shared memory is carved into floats and doubles; three floats end at no multiple of eight.
// reported: github.com, NVIDIA/Fuser issue 4957, CUDA_ERROR_MISALIGNED_ADDRESS failed with error misaligned address
// launch: grid 1, block 1, shared 64
// arguments: double[1]
extern __shared__ float carved[];
extern "C" __global__ void test(double* x) {
#ifdef FAULTY
  double* second = reinterpret_cast<double*>(carved + 3);
#else
  double* second = reinterpret_cast<double*>(carved + 4);
#endif
  second[0] = x[0];  // finds: alignment
}
