// SPDX-License-Identifier: MIT
// What the emulator does not have is refused where it is used, with the way round.
#pragma once

#define MYLOS_REFUSED(what) \
  __attribute__((noinline, error(what " on the emulator: write another form of the code under #ifdef MYLOS_EMULATOR")))

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
struct CUstream_st;
using cudaStream_t = CUstream_st*;

// The value as the result, or through a pointer.
#define MYLOS_TEXTURE(name)                                                                                           \
  template <class T, class... A>                                                                                      \
  MYLOS_REFUSED("there are no textures and surfaces") T name(cudaTextureObject_t, A...);                               \
  template <class T, class... A>                                                                                      \
  MYLOS_REFUSED("there are no textures and surfaces") void name(T*, cudaTextureObject_t, A...);
MYLOS_TEXTURE(tex1Dfetch) MYLOS_TEXTURE(tex1D) MYLOS_TEXTURE(tex2D) MYLOS_TEXTURE(tex3D) MYLOS_TEXTURE(tex2Dgather)
MYLOS_TEXTURE(tex1DLod) MYLOS_TEXTURE(tex2DLod) MYLOS_TEXTURE(tex3DLod) MYLOS_TEXTURE(tex1DGrad)
MYLOS_TEXTURE(tex2DGrad) MYLOS_TEXTURE(tex3DGrad) MYLOS_TEXTURE(tex1DLayered) MYLOS_TEXTURE(tex2DLayered)
MYLOS_TEXTURE(texCubemap) MYLOS_TEXTURE(texCubemapLayered) MYLOS_TEXTURE(surf1Dread) MYLOS_TEXTURE(surf2Dread)
MYLOS_TEXTURE(surf3Dread) MYLOS_TEXTURE(surf1DLayeredread) MYLOS_TEXTURE(surf2DLayeredread)
#undef MYLOS_TEXTURE
#define MYLOS_SURFACE(name)      \
  template <class T, class... A> \
  MYLOS_REFUSED("there are no textures and surfaces") void name(T, cudaSurfaceObject_t, A...);
MYLOS_SURFACE(surf1Dwrite) MYLOS_SURFACE(surf2Dwrite) MYLOS_SURFACE(surf3Dwrite)
MYLOS_SURFACE(surf1DLayeredwrite) MYLOS_SURFACE(surf2DLayeredwrite)
#undef MYLOS_SURFACE

// Dynamic parallelism.
#define MYLOS_RUNTIME(name)  \
  template <class... A>      \
  MYLOS_REFUSED("a kernel cannot call the CUDA runtime, or launch kernels,") int name(A...);
MYLOS_RUNTIME(cudaDeviceSynchronize) MYLOS_RUNTIME(cudaGetLastError) MYLOS_RUNTIME(cudaPeekAtLastError)
MYLOS_RUNTIME(cudaMalloc) MYLOS_RUNTIME(cudaFree) MYLOS_RUNTIME(cudaMemcpyAsync) MYLOS_RUNTIME(cudaMemsetAsync)
MYLOS_RUNTIME(cudaLaunchDevice) MYLOS_RUNTIME(cudaStreamCreateWithFlags) MYLOS_RUNTIME(cudaStreamDestroy)
#undef MYLOS_RUNTIME

// Addresses for PTX, and counters of a profiler.
#define MYLOS_ADDRESS(name) \
  template <class T>        \
  MYLOS_REFUSED("there is no PTX, and no address for it,") size_t name(T);
MYLOS_ADDRESS(__cvta_generic_to_global) MYLOS_ADDRESS(__cvta_generic_to_shared) MYLOS_ADDRESS(__cvta_generic_to_local)
MYLOS_ADDRESS(__cvta_generic_to_constant)
#undef MYLOS_ADDRESS
MYLOS_REFUSED("there are no performance counters") unsigned __pm0();
MYLOS_REFUSED("there are no performance counters") unsigned __pm1();
MYLOS_REFUSED("there are no performance counters") unsigned __pm2();
MYLOS_REFUSED("there are no performance counters") unsigned __pm3();
#undef MYLOS_REFUSED
