// SPDX-License-Identifier: MIT
// The address of a local variable is handed to other threads.
// launch: grid 1, block 32
// arguments: int[32]
extern "C" __global__ void test(int* x) {
  __shared__ const int* shared_pointer;
  __shared__ int shared_value;
  int mine = threadIdx.x + 5;
  if (threadIdx.x == 0) {
    shared_pointer = &mine;
    shared_value = mine;
  }
  __syncthreads();
#ifdef FAULTY
  x[threadIdx.x] = *shared_pointer;  // finds: memory
#else
  x[threadIdx.x] = shared_value;
#endif
  __syncthreads();
}
