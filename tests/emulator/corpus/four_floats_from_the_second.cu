// SPDX-License-Identifier: MIT
// Four floats at once from an address that is no multiple of 16.
// reported: github.com, apache/tvm issue 8540, CUDA misaligned address when vectorizing float16
// launch: grid 1, block 4
// arguments: float[32], float[16]
extern "C" __global__ void test(const float* x, float4* y) {
#ifdef FAULTY
  const float4* from = reinterpret_cast<const float4*>(x + 1);
#else
  const float4* from = reinterpret_cast<const float4*>(x + 4);
#endif
  y[threadIdx.x] = from[threadIdx.x];  // finds: alignment
}
