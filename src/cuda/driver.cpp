// SPDX-License-Identifier: MIT
// The only file that calls the CUDA driver.
#include <mylos/cuda/driver.hpp>

#include <array>
#include <exception>
#include <span>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>
#include <mylos/cuda/library.hpp>

namespace mylos::inline MYLOS_ABI::cuda {
namespace {

// As cuda.h declares them.
enum Result : int { success = 0 };
enum Attribute : int { compute_capability_major = 75, compute_capability_minor = 76 };
using Device = int;

constexpr int oldest_version = 12000;

struct Functions {
  explicit Functions(const Library& library)
      : error_name(library.function<Result(Result, const char**)>("cuGetErrorName")),
        error_text(library.function<Result(Result, const char**)>("cuGetErrorString")),
        init(library.function<Result(unsigned)>("cuInit")),
        version(library.function<Result(int*)>("cuDriverGetVersion")),
        device_count(library.function<Result(int*)>("cuDeviceGetCount")),
        device(library.function<Result(Device*, int)>("cuDeviceGet")),
        name(library.function<Result(char*, int, Device)>("cuDeviceGetName")),
        attribute(library.function<Result(int*, Attribute, Device)>("cuDeviceGetAttribute")),
        total_memory(library.function<Result(std::size_t*, Device)>("cuDeviceTotalMem_v2")) {}

  Result (*error_name)(Result, const char**);
  Result (*error_text)(Result, const char**);
  Result (*init)(unsigned);
  Result (*version)(int*);
  Result (*device_count)(int*);
  Result (*device)(Device*, int);
  Result (*name)(char*, int, Device);
  Result (*attribute)(int*, Attribute, Device);
  Result (*total_memory)(std::size_t*, Device);
};

std::string described(const Functions& driver, Result result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.error_name(result, &name) != success || name == nullptr) name = "an unknown error";
  if (driver.error_text(result, &text) != success || text == nullptr) text = "no description";
  return fmt::format("{} ({}: {})", name, static_cast<int>(result), text);
}

void check(const Functions& driver, Result result, std::string_view call) {
  if (result != success)
    throw BackendError(
        fmt::format("{} failed with {}: the driver cannot be used: see whether nvidia-smi finds it and a GPU", call,
                    described(driver, result)));
}

DeviceInfo device_info(const Functions& driver, int ordinal) {
  Device device = 0;
  check(driver, driver.device(&device, ordinal), "cuDeviceGet");
  std::array<char, 256> name{};
  check(driver, driver.name(name.data(), static_cast<int>(name.size()) - 1, device), "cuDeviceGetName");
  int major = 0;
  int minor = 0;
  check(driver, driver.attribute(&major, compute_capability_major, device), "cuDeviceGetAttribute");
  check(driver, driver.attribute(&minor, compute_capability_minor, device), "cuDeviceGetAttribute");
  DeviceInfo info{.name = name.data(), .compute_capability = 10 * major + minor, .total_memory = 0};
  check(driver, driver.total_memory(&info.total_memory, device), "cuDeviceTotalMem");
  return info;
}

void ask(const Library& library, DriverInfo& info) {
  info.path = library.path();
  const Functions driver(library);
  check(driver, driver.version(&info.version), "cuDriverGetVersion");
  if (info.version < oldest_version) {
    throw BackendError(fmt::format("the driver {} serves CUDA {}, Mylos needs {} or newer: update the NVIDIA driver",
                                   info.path, version_text(info.version), version_text(oldest_version)));
  }
  check(driver, driver.init(0), "cuInit");
  int count = 0;
  check(driver, driver.device_count(&count), "cuDeviceGetCount");
  for (int ordinal = 0; ordinal < count; ++ordinal) info.devices.push_back(device_info(driver, ordinal));
  if (info.devices.empty()) {
    throw BackendError(fmt::format("the driver {} sees no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES", info.path));
  }
}

}  // namespace

DriverInfo probe_driver(const std::string& path) noexcept {
  DriverInfo info;
  try {
    ask(Library(std::span(&path, 1)), info);
  } catch (const std::exception& error) {
    info.devices.clear();
    info.unusable_reason = info.path.empty()
                               ? fmt::format(
                                     "the CUDA driver cannot be loaded: {}: install the NVIDIA driver, or use "
                                     "the host or the emulated backend",
                                     error.what())
                               : error.what();
  }
  return info;
}

const DriverInfo& driver() noexcept {
  static const DriverInfo info = probe_driver(environment::text("MYLOS_CUDA_DRIVER").value_or("libcuda.so.1"));
  return info;
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace mylos::inline MYLOS_ABI::cuda
