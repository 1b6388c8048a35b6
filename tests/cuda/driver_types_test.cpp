// SPDX-License-Identifier: MIT
// Our declarations of the driver's types are those of cuda.h, where there is one to compare with.
#include "cuda/driver_types.hpp"

#include <type_traits>

#include <gtest/gtest.h>

#include "cuda/driver_functions.hpp"

#if __has_include(<cuda.h>)
#  include <cuda.h>
#endif

namespace mylos_test {
namespace {

namespace cuda = mylos::cuda;

#ifndef CUDA_VERSION
TEST(DriverTypes, AreThoseOfCuda) { GTEST_SKIP() << "there is no cuda.h"; }
#else
template <class Ours, class Cudas>
bool same(Ours ours, Cudas cudas) {
  return static_cast<long long>(ours) == static_cast<long long>(cudas);
}

TEST(DriverTypes, HaveTheErrorsOfCuda) {
  using cuda::Result;
  EXPECT_TRUE(same(Result::success, CUDA_SUCCESS));
  EXPECT_TRUE(same(Result::invalid_value, CUDA_ERROR_INVALID_VALUE));
  EXPECT_TRUE(same(Result::out_of_memory, CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_TRUE(same(Result::no_device, CUDA_ERROR_NO_DEVICE));
  EXPECT_TRUE(same(Result::no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU));
  EXPECT_TRUE(same(Result::ecc_uncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE));
  EXPECT_TRUE(same(Result::invalid_ptx, CUDA_ERROR_INVALID_PTX));
  EXPECT_TRUE(same(Result::nvlink_uncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE));
  EXPECT_TRUE(same(Result::unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION));
  EXPECT_TRUE(same(Result::illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS));
  EXPECT_TRUE(same(Result::launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES));
  EXPECT_TRUE(same(Result::launch_timeout, CUDA_ERROR_LAUNCH_TIMEOUT));
  EXPECT_TRUE(same(Result::context_is_destroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED));
  EXPECT_TRUE(same(Result::assertion, CUDA_ERROR_ASSERT));
  EXPECT_TRUE(same(Result::hardware_stack_error, CUDA_ERROR_HARDWARE_STACK_ERROR));
  EXPECT_TRUE(same(Result::illegal_instruction, CUDA_ERROR_ILLEGAL_INSTRUCTION));
  EXPECT_TRUE(same(Result::misaligned_address, CUDA_ERROR_MISALIGNED_ADDRESS));
  EXPECT_TRUE(same(Result::invalid_address_space, CUDA_ERROR_INVALID_ADDRESS_SPACE));
  EXPECT_TRUE(same(Result::invalid_program_counter, CUDA_ERROR_INVALID_PC));
  EXPECT_TRUE(same(Result::launch_failed, CUDA_ERROR_LAUNCH_FAILED));
}

TEST(DriverTypes, HaveTheNumbersOfCuda) {
  using cuda::DeviceAttribute;
  EXPECT_TRUE(same(DeviceAttribute::max_pitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH));
  EXPECT_TRUE(same(DeviceAttribute::multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  EXPECT_TRUE(
      same(DeviceAttribute::max_threads_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
  EXPECT_TRUE(same(DeviceAttribute::compute_capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  EXPECT_TRUE(same(DeviceAttribute::compute_capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  EXPECT_TRUE(same(DeviceAttribute::pageable_memory_access, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS));
  EXPECT_TRUE(
      same(DeviceAttribute::max_shared_memory_per_block_optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  using cuda::FunctionAttribute;
  EXPECT_TRUE(same(FunctionAttribute::max_threads_per_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  EXPECT_TRUE(same(FunctionAttribute::static_shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  EXPECT_TRUE(same(FunctionAttribute::max_dynamic_shared_bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
  EXPECT_TRUE(same(cuda::PointerAttribute::memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE));
  EXPECT_TRUE(same(cuda::PointerAttribute::device_ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL));
  EXPECT_TRUE(same(cuda::MemoryType::host, CU_MEMORYTYPE_HOST));
  EXPECT_TRUE(same(cuda::MemoryType::device, CU_MEMORYTYPE_DEVICE));
  EXPECT_TRUE(same(cuda::MemoryType::array, CU_MEMORYTYPE_ARRAY));
  EXPECT_TRUE(same(cuda::MemoryType::unified, CU_MEMORYTYPE_UNIFIED));
  EXPECT_TRUE(same(cuda::JitOption::error_log, CU_JIT_ERROR_LOG_BUFFER));
  EXPECT_TRUE(same(cuda::JitOption::error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
  EXPECT_EQ(reinterpret_cast<void*>(cuda::launch_end), CU_LAUNCH_PARAM_END);
  EXPECT_EQ(reinterpret_cast<void*>(cuda::launch_buffer_pointer), CU_LAUNCH_PARAM_BUFFER_POINTER);
  EXPECT_EQ(reinterpret_cast<void*>(cuda::launch_buffer_size), CU_LAUNCH_PARAM_BUFFER_SIZE);
}

static_assert(std::is_same_v<cuda::ContextHandle, CUcontext> && std::is_same_v<cuda::StreamHandle, CUstream>);
static_assert(std::is_same_v<cuda::ModuleHandle, CUmodule> && std::is_same_v<cuda::FunctionHandle, CUfunction>);
static_assert(std::is_same_v<cuda::GraphHandle, CUgraph> && std::is_same_v<cuda::GraphExecHandle, CUgraphExec>);
static_assert(std::is_same_v<cuda::GraphNodeHandle, CUgraphNode>);
static_assert(std::is_same_v<cuda::DevicePointer, CUdeviceptr> && std::is_same_v<cuda::DeviceHandle, CUdevice>);
static_assert(sizeof(cuda::Copy2D) == sizeof(CUDA_MEMCPY2D));
static_assert(offsetof(cuda::Copy2D, source_device) == offsetof(CUDA_MEMCPY2D, srcDevice));
static_assert(offsetof(cuda::Copy2D, source_pitch) == offsetof(CUDA_MEMCPY2D, srcPitch));
static_assert(offsetof(cuda::Copy2D, destination_type) == offsetof(CUDA_MEMCPY2D, dstMemoryType));
static_assert(offsetof(cuda::Copy2D, destination_device) == offsetof(CUDA_MEMCPY2D, dstDevice));
static_assert(offsetof(cuda::Copy2D, destination_pitch) == offsetof(CUDA_MEMCPY2D, dstPitch));
static_assert(offsetof(cuda::Copy2D, height) == offsetof(CUDA_MEMCPY2D, Height));
static_assert(sizeof(cuda::KernelNode) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
static_assert(offsetof(cuda::KernelNode, function) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, func));
static_assert(offsetof(cuda::KernelNode, grid_x) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, gridDimX));
static_assert(offsetof(cuda::KernelNode, block_z) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, blockDimZ));
static_assert(offsetof(cuda::KernelNode, shared_bytes) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes));
static_assert(offsetof(cuda::KernelNode, values) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams));
static_assert(offsetof(cuda::KernelNode, extra) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, extra));
static_assert(offsetof(cuda::KernelNode, context) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, ctx));
#endif

}  // namespace
}  // namespace mylos_test
