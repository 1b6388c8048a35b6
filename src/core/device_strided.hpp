// SPDX-License-Identifier: MIT
// Copies and fills of strided memory by the driver: its own calls where they serve, else kernels of ours
// (kernels/strided), compiled by NVRTC when first needed.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include <mylos/base/abi.hpp>
#include <mylos/core/detail/strided.hpp>

#include "core/loops.hpp"
#include "cuda/loaded_kernel.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// All are queued on the stream and return at once; blocks are not empty, the context is current. Throw CudaError;
/// BackendError where a kernel is needed and there is no NVRTC.
class DeviceStrided {
 public:
  explicit DeviceStrided(std::shared_ptr<cuda::Context> context) : context_(std::move(context)) {}

  /// Throws ValueError for a conversion that is not one of numbers.
  void copy(cuda::Stream& stream, const StridedBlock& destination, const StridedBlock& source,
            const ElementConversion& conversion);
  void fill(cuda::Stream& stream, const StridedBlock& destination, std::span<const std::byte> pattern);

 private:
  const cuda::LoadedKernel& kernel(const std::string& symbol);
  void launch(const std::string& symbol, cuda::Stream& stream, std::int64_t size,
              std::span<const std::byte> parameters);
  void convert(cuda::Stream& stream, const StridedBlock& destination, const StridedBlock& source,
               const ElementConversion& conversion);
  bool set_rows(const cuda::Stream& stream, const StridedBlock& destination, std::span<const std::byte> pattern) const;
  void fill_piece(cuda::Stream& stream, const StridedBlock& destination, std::span<const std::byte> pattern);

  std::shared_ptr<cuda::Context> context_;
  std::mutex loading_;
  std::shared_ptr<const cuda::Module> module_;
  std::unordered_map<std::string, cuda::LoadedKernel> kernels_;
};

}  // namespace mylos::inline MYLOS_ABI::detail
