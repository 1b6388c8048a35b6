// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <mylos/base/version.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/cuda/driver.hpp>

#include "core/cuda_engine.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

CudaStatus inspect_driver() {
  const cuda::DriverInfo& driver = cuda::driver();
  CudaStatus status;
  status.reason = driver.unusable_reason;
  if (driver.version > 0) status.driver_version = cuda::version_text(driver.version);
  for (const cuda::DeviceInfo& device : driver.devices) status.devices.push_back(device.name);
#ifndef KOKKOS_ENABLE_CUDA
  if (status.reason.empty()) {
    status.reason = fmt::format(
        "there is a driver ({}) and a GPU ({}), but Mylos {} drives GPUs only where Kokkos has CUDA: configure Kokkos "
        "with CUDA, or use the backend 'emulated'",
        status.driver_version, status.devices.front(), version());
  }
#endif
  return status;
}

}  // namespace

const CudaStatus& cuda_status() noexcept {
  static const CudaStatus status = inspect_driver();
  return status;
}

}  // namespace mylos::inline MYLOS_ABI::detail
