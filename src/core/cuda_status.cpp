// SPDX-License-Identifier: MIT
#include <mylos/cuda/driver.hpp>

#include "core/cuda_engine.hpp"
#include "cuda/driver_calls.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

CudaStatus inspect_driver() {
  const cuda::DriverInfo& driver = cuda::driver();
  CudaStatus status;
  status.reason = driver.unusable_reason;
  if (driver.version > 0) status.driver_version = cuda::version_text(driver.version);
  for (const cuda::DeviceInfo& device : driver.devices) status.devices.push_back(device.name);
  return status;
}

}  // namespace

const CudaStatus& cuda_status() noexcept {
  static const CudaStatus status = inspect_driver();
  return status;
}

std::string cuda_fault() { return cuda::driver().usable() ? cuda::Driver::instance().fault() : std::string(); }

}  // namespace mylos::inline MYLOS_ABI::detail
