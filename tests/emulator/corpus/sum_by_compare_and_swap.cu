// SPDX-License-Identifier: MIT
// The atomic addition that CUDA's guide shows: it begins with a plain read. Exchanging what was read is no addition.
// launch: grid 4, block 64
// arguments: double[256], double[1]
__device__ double add(double* address, double value) {
  unsigned long long* word = (unsigned long long*)address;
  unsigned long long old = *word, assumed;  // finds: race
  do {
    assumed = old;
    unsigned long long sum = __double_as_longlong(value + __longlong_as_double(assumed));
#ifdef FAULTY
    atomicExch(word, sum);  // finds: race
#else
    old = atomicCAS(word, assumed, sum);
#endif
  } while (assumed != old);
  return __longlong_as_double(old);
}
extern "C" __global__ void test(const double* x, double* sum) { add(sum, x[blockIdx.x * blockDim.x + threadIdx.x]); }
