// SPDX-License-Identifier: MIT
// All threads write one flag: the same value, but not in CUDA's memory model.
// reported: github.com, ComputationalRadiationPhysics/picongpu issue 1044, racecondition in kernelShiftParticles
// launch: grid 2, block 32
// arguments: double[64], int[1]
extern "C" __global__ void test(const double* x, int* found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] > 3) {
#ifdef FAULTY
    found[0] = 1;  // finds: race
#else
    atomicExch(found, 1);
#endif
  }
}
