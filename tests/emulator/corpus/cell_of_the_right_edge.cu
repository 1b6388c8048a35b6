// SPDX-License-Identifier: MIT
// A position on the right edge has the cell behind the last one, which an assertion says there is not.
// launch: grid 1, block 64
// arguments: double[64], int[64], double 63
extern "C" __global__ void test(const double* positions, int* cells, double length) {
  constexpr int n = 16;
  int i = threadIdx.x;
  int cell = static_cast<int>(positions[i] / length * n);
#ifndef FAULTY
  cell = min(cell, n - 1);
#endif
  assert(cell < n);  // finds: assertion
  cells[i] = cell;
}
