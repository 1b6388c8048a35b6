// SPDX-License-Identifier: MIT
// The driver's types as cuda.h declares them: the part of it that Mylos calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mylos/base/abi.hpp>

// cuda.h's own names, so that its users' handles are ours.
struct CUctx_st;
struct CUstream_st;
struct CUmod_st;
struct CUfunc_st;
struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;

namespace mylos::inline MYLOS_ABI::cuda {

using DeviceHandle = int;
using ContextHandle = CUctx_st*;
using StreamHandle = CUstream_st*;
using ModuleHandle = CUmod_st*;
using FunctionHandle = CUfunc_st*;
using GraphHandle = CUgraph_st*;
using GraphNodeHandle = CUgraphNode_st*;
using GraphExecHandle = CUgraphExec_st*;
using DevicePointer = unsigned long long;

enum class Result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  no_device = 100,
  no_binary_for_gpu = 209,
  ecc_uncorrectable = 214,
  invalid_ptx = 218,
  nvlink_uncorrectable = 220,
  unsupported_ptx_version = 222,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  context_is_destroyed = 709,
  assertion = 710,
  hardware_stack_error = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_program_counter = 718,
  launch_failed = 719
};

enum class DeviceAttribute : int {
  max_pitch = 11,
  multiprocessor_count = 16,
  max_threads_per_multiprocessor = 39,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  pageable_memory_access = 88,
  max_shared_memory_per_block_optin = 97
};

enum class FunctionAttribute : int { max_threads_per_block = 0, static_shared_bytes = 1, max_dynamic_shared_bytes = 8 };

enum class PointerAttribute : int { memory_type = 2, device_ordinal = 9 };
enum class MemoryType : unsigned { host = 1, device = 2, array = 3, unified = 4 };

/// CUDA_MEMCPY2D.
struct Copy2D {
  std::size_t source_x = 0, source_y = 0;
  MemoryType source_type = MemoryType::device;
  const void* source_host = nullptr;
  DevicePointer source_device = 0;
  void* source_array = nullptr;
  std::size_t source_pitch = 0;
  std::size_t destination_x = 0, destination_y = 0;
  MemoryType destination_type = MemoryType::device;
  void* destination_host = nullptr;
  DevicePointer destination_device = 0;
  void* destination_array = nullptr;
  std::size_t destination_pitch = 0;
  std::size_t width_bytes = 0, height = 0;
};

/// CUDA_KERNEL_NODE_PARAMS_v2.
struct KernelNode {
  FunctionHandle function = nullptr;
  unsigned grid_x = 1, grid_y = 1, grid_z = 1;
  unsigned block_x = 1, block_y = 1, block_z = 1;
  unsigned shared_bytes = 0;
  void** values = nullptr;
  void** extra = nullptr;
  void* kernel = nullptr;           // of a library, instead of a function
  ContextHandle context = nullptr;  // of such a one
};

enum class JitOption : int { error_log = 5, error_log_bytes = 6 };

// How a launch is given a block of parameters.
inline constexpr std::uintptr_t launch_end = 0, launch_buffer_pointer = 1, launch_buffer_size = 2;

}  // namespace mylos::inline MYLOS_ABI::cuda
