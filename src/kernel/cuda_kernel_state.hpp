// SPDX-License-Identifier: MIT
// What the copies of a CudaKernel share.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <mylos/kernel/cuda_kernel.hpp>

#include "kernel/kernel_text.hpp"

namespace mylos::inline MYLOS_ABI {

struct CudaKernel::State {
  /// Whether a file of MYLOS_KERNEL_PATH is taken instead of the text, where there is one at the first use.
  enum class Replaced { never, by_kernel_path };

  State(std::string kernel, CudaOptions settings, detail::KernelOrigin origin, Replaced replaced = Replaced::never);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() = default;

  /// The one in force. It lives as long as the kernel.
  detail::KernelText& text();
  /// See CudaKernel::recompile().
  void recompile();

  const std::string name;
  const CudaOptions options;

 private:
  /// What the text is to be at this moment.
  [[nodiscard]] detail::KernelOrigin origin_now() const;
  /// `reading_` is locked.
  void take(detail::KernelOrigin origin);

  const detail::KernelOrigin origin_;
  const Replaced replaced_;
  std::mutex reading_;
  std::vector<std::unique_ptr<detail::KernelText>> texts_;  // older ones may be in use still
  std::atomic<detail::KernelText*> current_{nullptr};
};

}  // namespace mylos::inline MYLOS_ABI
