// SPDX-License-Identifier: MIT
// The stand-in's errors, devices and contexts.
#include <cstring>

#include "cuda/stand_in/model.hpp"

using mylos::cuda::DeviceAttribute;
using mylos::cuda::DeviceHandle;
using stand_in::answer;
using stand_in::answer_in_context;
using stand_in::context_stack;
using stand_in::model;

namespace {

struct ErrorText {
  int code;
  const char *name, *text;
};

constexpr ErrorText errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

const ErrorText* find(Result result) {
  for (const ErrorText& error : errors) {
    if (Result{error.code} == result) return &error;
  }
  return nullptr;
}

int device_count() { return std::min(stand_in::setting("STAND_IN_DEVICES", 2), stand_in::max_devices); }

CUctx_st* context_of(DeviceHandle device) {
  const int ordinal = device - stand_in::first_device_handle;
  return ordinal >= 0 && ordinal < device_count() ? &model().contexts[static_cast<std::size_t>(ordinal)] : nullptr;
}

int attribute_of(int ordinal, DeviceAttribute attribute) {
  switch (attribute) {
    case DeviceAttribute::max_shared_memory_per_block_optin: return stand_in::shared_opt_in;
    case DeviceAttribute::max_pitch: return 2147483647;
    case DeviceAttribute::multiprocessor_count: return 132;
    case DeviceAttribute::max_threads_per_multiprocessor: return 2048;
    case DeviceAttribute::compute_capability_major: return stand_in::capability(ordinal) / 10;
    case DeviceAttribute::compute_capability_minor: return stand_in::capability(ordinal) % 10;
    case DeviceAttribute::pageable_memory_access: return stand_in::setting("STAND_IN_READS_HOST", 0);
  }
  return -1;
}

}  // namespace

STAND_IN_EXPORT Result cuGetErrorName(Result result, const char** name) {
  const ErrorText* const found = find(result);
  *name = found != nullptr ? found->name : nullptr;
  return found != nullptr ? Result::success : Result::invalid_value;
}

STAND_IN_EXPORT Result cuGetErrorString(Result result, const char** text) {
  const ErrorText* const found = find(result);
  *text = found != nullptr ? found->text : nullptr;
  return found != nullptr ? Result::success : Result::invalid_value;
}

STAND_IN_EXPORT Result cuInit(unsigned flags) {
  return answer("cuInit", "", [&] {
    if (flags != 0) return Result::invalid_value;
    model().initialized = true;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuDriverGetVersion(int* version) {
  *version = stand_in::setting("STAND_IN_VERSION", 12040);
  return answer("cuDriverGetVersion", "", [] { return Result::success; });
}

STAND_IN_EXPORT Result cuDeviceGetCount(int* count) {
  return answer("cuDeviceGetCount", "", [&] {
    if (!model().initialized) return model().violation("cuDeviceGetCount before cuInit", not_initialized);
    *count = device_count();
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuDeviceGet(DeviceHandle* device, int ordinal) {
  return answer("cuDeviceGet", std::to_string(ordinal), [&] {
    if (ordinal < 0 || ordinal >= device_count()) return model().violation("cuDeviceGet of no device", Result{101});
    *device = stand_in::first_device_handle + ordinal;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuDeviceGetName(char* name, int length, DeviceHandle device) {
  return answer("cuDeviceGetName", "", [&] {
    const CUctx_st* const context = context_of(device);
    if (context == nullptr) return model().violation("cuDeviceGetName of no device");
    std::strncpy(name, context->ordinal == 0 ? "First GPU" : "Second GPU", static_cast<std::size_t>(length));
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuDeviceGetAttribute(int* value, DeviceAttribute attribute, DeviceHandle device) {
  return answer("cuDeviceGetAttribute", "", [&] {
    const CUctx_st* const context = context_of(device);
    *value = context != nullptr ? attribute_of(context->ordinal, attribute) : -1;
    return *value >= 0 ? Result::success : model().violation("cuDeviceGetAttribute of no device or attribute");
  });
}

#ifndef STAND_IN_INCOMPLETE
STAND_IN_EXPORT Result cuDeviceTotalMem_v2(std::size_t* bytes, DeviceHandle device) {
  return answer("cuDeviceTotalMem_v2", "", [&] {
    const CUctx_st* const context = context_of(device);
    if (context == nullptr) return model().violation("cuDeviceTotalMem_v2 of no device");
    *bytes = stand_in::Memory::capacity(context->ordinal);
    return Result::success;
  });
}
#endif

STAND_IN_EXPORT Result cuDevicePrimaryCtxRetain(ContextHandle* context, DeviceHandle device) {
  return answer("cuDevicePrimaryCtxRetain", "", [&] {
    *context = context_of(device);
    if (*context == nullptr) return model().violation("cuDevicePrimaryCtxRetain of no device");
    ++(*context)->holders;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuDevicePrimaryCtxRelease_v2(DeviceHandle device) {
  return answer("cuDevicePrimaryCtxRelease_v2", "", [&] {
    CUctx_st* const context = context_of(device);
    if (context == nullptr || context->holders == 0) {
      return model().violation("cuDevicePrimaryCtxRelease_v2 of a context that nobody holds", invalid_context);
    }
    --context->holders;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuCtxPushCurrent_v2(ContextHandle context) {
  return answer("cuCtxPushCurrent_v2", "", [&] {
    if (context == nullptr || context->holders == 0) {
      return model().violation("cuCtxPushCurrent_v2 of a context that nobody holds", invalid_context);
    }
    context_stack().push_back(context);
    ++model().pushed;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuCtxPopCurrent_v2(ContextHandle* context) {
  return answer("cuCtxPopCurrent_v2", "", [&] {
    if (context_stack().empty()) return model().violation("cuCtxPopCurrent_v2 without a context", invalid_context);
    *context = context_stack().back();
    context_stack().pop_back();
    --model().pushed;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuCtxGetCurrent(ContextHandle* context) {
  *context = context_stack().empty() ? nullptr : context_stack().back();
  return Result::success;
}

STAND_IN_EXPORT Result cuCtxSynchronize() {
  return answer_in_context("cuCtxSynchronize", "", [](CUctx_st& context) { return stand_in::drain(context); });
}
