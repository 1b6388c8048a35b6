// SPDX-License-Identifier: MIT
// Bytes are read as a double where none can be.
// launch: grid 1, block 1
// arguments: double[8], double[1]
extern "C" __global__ void test(const double* x, double* y) {
  const char* bytes = reinterpret_cast<const char*>(x);
#ifdef FAULTY
  y[0] = *reinterpret_cast<const double*>(bytes + 4);  // finds: alignment
#else
  y[0] = *reinterpret_cast<const double*>(bytes + 8);
#endif
}
