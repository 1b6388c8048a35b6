// SPDX-License-Identifier: MIT
// Whether NVIDIA's driver is here and what it drives. Loading it does not create a context or touch a GPU's memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::cuda {

struct DeviceInfo {
  std::string name;            ///< "NVIDIA H100 80GB HBM3"
  int compute_capability = 0;  ///< 90 for 9.0
  std::size_t total_memory = 0;
};

struct DriverInfo {
  std::string unusable_reason;  ///< empty when there is a driver, new enough, with at least one device
  std::string path;             ///< of the library; empty when none was loaded
  int version = 0;              ///< of the CUDA API it serves: 13000 for 13.0; 0 when unknown
  std::vector<DeviceInfo> devices;

  [[nodiscard]] bool usable() const noexcept { return unusable_reason.empty(); }
};

/// What the driver said at the first call; the library is the one MYLOS_CUDA_DRIVER names, else libcuda.so.1.
[[nodiscard]] MYLOS_EXPORT const DriverInfo& driver() noexcept;

/// Asks the driver library at `path` (or of that name) anew. Failures of every kind become `unusable_reason`.
[[nodiscard]] MYLOS_EXPORT DriverInfo probe_driver(const std::string& path) noexcept;

/// "13.0" for 13000.
[[nodiscard]] MYLOS_EXPORT std::string version_text(int version);

}  // namespace mylos::inline MYLOS_ABI::cuda
