// SPDX-License-Identifier: MIT
// A CUDA driver without a GPU behind it. STAND_IN_* chooses what it has to say: GOOD has two devices, OLD is CUDA 11.8,
// EMPTY has no device, FAILING cannot start, INCOMPLETE lacks a function.
#include <cstddef>
#include <cstring>

namespace {

enum Result : int { success = 0, invalid_value = 1, no_device = 100 };
constexpr int major_attribute = 75;
constexpr int minor_attribute = 76;

#if defined(STAND_IN_EMPTY)
constexpr int device_count = 0;
#else
constexpr int device_count = 2;
#endif

}  // namespace

extern "C" {

#define STAND_IN_EXPORT __attribute__((visibility("default")))

STAND_IN_EXPORT Result cuGetErrorName(Result result, const char** name) {
  *name = result == no_device ? "CUDA_ERROR_NO_DEVICE" : nullptr;
  return *name != nullptr ? success : invalid_value;
}

STAND_IN_EXPORT Result cuGetErrorString(Result result, const char** text) {
  *text = result == no_device ? "no CUDA-capable device is detected" : nullptr;
  return *text != nullptr ? success : invalid_value;
}

STAND_IN_EXPORT Result cuInit(unsigned flags) {
#if defined(STAND_IN_FAILING)
  return no_device;
#endif
  return flags == 0 ? success : invalid_value;
}

STAND_IN_EXPORT Result cuDriverGetVersion(int* version) {
#if defined(STAND_IN_OLD)
  *version = 11080;
#else
  *version = 12040;
#endif
  return success;
}

STAND_IN_EXPORT Result cuDeviceGetCount(int* count) {
  *count = device_count;
  return success;
}

STAND_IN_EXPORT Result cuDeviceGet(int* device, int ordinal) {
  if (ordinal < 0 || ordinal >= device_count) return invalid_value;
  *device = 40 + ordinal;
  return success;
}

STAND_IN_EXPORT Result cuDeviceGetName(char* name, int length, int device) {
  if (device < 40) return invalid_value;
  std::strncpy(name, device == 40 ? "First GPU" : "Second GPU", static_cast<std::size_t>(length));
  return success;
}

STAND_IN_EXPORT Result cuDeviceGetAttribute(int* value, int attribute, int device) {
  if (attribute != major_attribute && attribute != minor_attribute) return invalid_value;
  *value = attribute == major_attribute ? (device == 40 ? 9 : 12) : (device == 40 ? 0 : 1);
  return success;
}

#if !defined(STAND_IN_INCOMPLETE)
STAND_IN_EXPORT Result cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  *bytes = device == 40 ? std::size_t{80} << 30 : std::size_t{32} << 30;
  return success;
}
#endif

}  // extern "C"
