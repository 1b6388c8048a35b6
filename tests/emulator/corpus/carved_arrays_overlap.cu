// SPDX-License-Identifier: MIT
// Three arrays are carved from dynamic shared memory; one begins before the other's end.
// launch: grid 1, block 32, shared 640
// arguments: double[32], int[32], double[32]
extern __shared__ char carved[];
extern "C" __global__ void test(const double* x, const int* keys, double* y) {
  int t = threadIdx.x, n = blockDim.x;
  double* values = reinterpret_cast<double*>(carved);
#ifdef FAULTY
  int* indices = reinterpret_cast<int*>(values + n - 1);
#else
  int* indices = reinterpret_cast<int*>(values + n);
#endif
  char* flags = reinterpret_cast<char*>(indices + n);
  values[t] = x[t];                    // finds: race
  indices[t] = (keys[t] * 7 + 3) % n;  // finds: race
  flags[t] = t % 3 == 0;
  __syncthreads();
  y[t] = flags[indices[t]] ? values[indices[t]] : values[t];  // finds: memory
}
