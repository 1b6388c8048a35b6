// SPDX-License-Identifier: MIT
// The driver's functions, by the versioned names that its library exports.
#pragma once

#include <mylos/base/abi.hpp>
#include <mylos/cuda/library.hpp>

#include "cuda/driver_types.hpp"

namespace mylos::inline MYLOS_ABI::cuda {

/// One function; knows what it is called.
template <class F>
struct Entry {
  Entry(const Library& library, const char* symbol) : name(symbol), function(library.function<F>(symbol)) {}
  const char* name;
  F* function;
};

/// All that Mylos calls. Making one throws BackendError for the first function that the library lacks.
struct DriverFunctions {
  explicit DriverFunctions(const Library& from) : library(from) {}

  const Library& library;

  Entry<Result(Result, const char**)> error_name{library, "cuGetErrorName"};
  Entry<Result(Result, const char**)> error_text{library, "cuGetErrorString"};
  Entry<Result(unsigned)> init{library, "cuInit"};
  Entry<Result(int*)> version{library, "cuDriverGetVersion"};

  Entry<Result(int*)> device_count{library, "cuDeviceGetCount"};
  Entry<Result(DeviceHandle*, int)> device{library, "cuDeviceGet"};
  Entry<Result(char*, int, DeviceHandle)> device_name{library, "cuDeviceGetName"};
  Entry<Result(int*, DeviceAttribute, DeviceHandle)> device_attribute{library, "cuDeviceGetAttribute"};
  Entry<Result(std::size_t*, DeviceHandle)> total_memory{library, "cuDeviceTotalMem_v2"};

  Entry<Result(ContextHandle*, DeviceHandle)> retain_context{library, "cuDevicePrimaryCtxRetain"};
  Entry<Result(DeviceHandle)> release_context{library, "cuDevicePrimaryCtxRelease_v2"};
  Entry<Result(ContextHandle)> push_context{library, "cuCtxPushCurrent_v2"};
  Entry<Result(ContextHandle*)> pop_context{library, "cuCtxPopCurrent_v2"};
  Entry<Result()> synchronize{library, "cuCtxSynchronize"};

  Entry<Result(DevicePointer*, std::size_t)> allocate{library, "cuMemAlloc_v2"};
  Entry<Result(DevicePointer)> deallocate{library, "cuMemFree_v2"};
  Entry<Result(std::size_t*, std::size_t*)> memory_info{library, "cuMemGetInfo_v2"};
  Entry<Result(void*, PointerAttribute, DevicePointer)> pointer_attribute{library, "cuPointerGetAttribute"};

  Entry<Result(DevicePointer, const void*, std::size_t, StreamHandle)> to_device{library, "cuMemcpyHtoDAsync_v2"};
  Entry<Result(void*, DevicePointer, std::size_t, StreamHandle)> to_host{library, "cuMemcpyDtoHAsync_v2"};
  Entry<Result(DevicePointer, DevicePointer, std::size_t, StreamHandle)> on_device{library, "cuMemcpyDtoDAsync_v2"};
  Entry<Result(const Copy2D*, StreamHandle)> copy_rows{library, "cuMemcpy2DAsync_v2"};

  Entry<Result(DevicePointer, unsigned char, std::size_t, StreamHandle)> set_8{library, "cuMemsetD8Async"};
  Entry<Result(DevicePointer, unsigned short, std::size_t, StreamHandle)> set_16{library, "cuMemsetD16Async"};
  Entry<Result(DevicePointer, unsigned, std::size_t, StreamHandle)> set_32{library, "cuMemsetD32Async"};
  template <class Unit>
  using SetRows = Result(DevicePointer, std::size_t, Unit, std::size_t, std::size_t, StreamHandle);
  Entry<SetRows<unsigned char>> set_rows_8{library, "cuMemsetD2D8Async"};
  Entry<SetRows<unsigned short>> set_rows_16{library, "cuMemsetD2D16Async"};
  Entry<SetRows<unsigned>> set_rows_32{library, "cuMemsetD2D32Async"};

  Entry<Result(int*, int*)> priority_range{library, "cuCtxGetStreamPriorityRange"};
  Entry<Result(StreamHandle*, unsigned, int)> create_stream{library, "cuStreamCreateWithPriority"};
  Entry<Result(StreamHandle)> destroy_stream{library, "cuStreamDestroy_v2"};
  Entry<Result(StreamHandle)> wait_for_stream{library, "cuStreamSynchronize"};
  Entry<Result(StreamHandle, ContextHandle*)> stream_context{library, "cuStreamGetCtx"};

  Entry<Result(ModuleHandle*, const void*, unsigned, const JitOption*, void**)> load_module{library,
                                                                                            "cuModuleLoadDataEx"};
  Entry<Result(ModuleHandle)> unload_module{library, "cuModuleUnload"};
  Entry<Result(FunctionHandle*, ModuleHandle, const char*)> function{library, "cuModuleGetFunction"};
  Entry<Result(DevicePointer*, std::size_t*, ModuleHandle, const char*)> variable{library, "cuModuleGetGlobal_v2"};
  Entry<Result(int*, FunctionAttribute, FunctionHandle)> function_attribute{library, "cuFuncGetAttribute"};
  Entry<Result(FunctionHandle, FunctionAttribute, int)> set_function_attribute{library, "cuFuncSetAttribute"};
  Entry<Result(FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, StreamHandle,
               void**, void**)>
      launch{library, "cuLaunchKernel"};

  Entry<Result(GraphHandle*, unsigned)> create_graph{library, "cuGraphCreate"};
  Entry<Result(GraphNodeHandle*, GraphHandle, const GraphNodeHandle*, std::size_t, const KernelNode*)> add_kernel{
      library, "cuGraphAddKernelNode_v2"};
  Entry<Result(GraphExecHandle*, GraphHandle, unsigned long long)> instantiate_graph{library,
                                                                                     "cuGraphInstantiateWithFlags"};
  Entry<Result(GraphHandle)> destroy_graph{library, "cuGraphDestroy"};
  Entry<Result(GraphExecHandle, StreamHandle)> launch_graph{library, "cuGraphLaunch"};
  Entry<Result(GraphExecHandle)> destroy_graph_exec{library, "cuGraphExecDestroy"};
};

}  // namespace mylos::inline MYLOS_ABI::cuda
