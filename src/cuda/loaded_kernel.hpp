// SPDX-License-Identifier: MIT
// Compiled code inside the driver, and its kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

#include "cuda/context.hpp"

namespace mylos::inline MYLOS_ABI::cuda {

/// A loaded image. May outlive its context, and is then good for nothing.
class Module {
 public:
  /// `image` is a cubin or PTX text, `what` names it in messages. Throws CudaError.
  Module(const std::shared_ptr<Context>& context, const std::string& image, std::string_view what);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  [[nodiscard]] ModuleHandle handle() const noexcept { return handle_; }

 private:
  std::weak_ptr<Context> context_;
  ModuleHandle handle_;
};

/// One kernel of a module. Safe from any thread.
class LoadedKernel {
 public:
  /// `context` is the module's, `name` is what messages call it. Throws CudaError when the module has no such symbol.
  LoadedKernel(const Context& context, std::shared_ptr<const Module> module, const std::string& symbol,
               std::string name);

  /// Queues it. `parameters`: as the kernel lays them out, to the last byte of the last one; they are copied. Allocates
  /// nothing. `context` is the module's. Throws LaunchError for a block or shared memory that this kernel cannot have
  /// on this device, CudaError.
  void launch(const Context& context, Stream& stream, const LaunchConfig& config,
              std::span<const std::byte> parameters) const;
  /// Adds such a launch to a graph of the context, which runs when that of `previous`, if any, has finished. Throws
  /// likewise.
  [[nodiscard]] GraphNodeHandle add_to(GraphHandle graph, GraphNodeHandle previous, const Context& context,
                                       const LaunchConfig& config, std::span<const std::byte> parameters) const;
  /// The bytes on the device of a variable of its module, which `context` is of, by its symbol. Throws CudaError.
  [[nodiscard]] std::span<std::byte> variable(const Context& context, const std::string& symbol) const;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  void check(const Context& context, const LaunchConfig& config) const;
  void allow_shared(const Context& context, std::size_t bytes) const;

  std::shared_ptr<const Module> module_;
  std::string name_;
  FunctionHandle function_;
  std::size_t max_threads_, static_shared_bytes_;
  mutable std::mutex allowing_;
  mutable std::size_t allowed_shared_bytes_;  // dynamic
};

}  // namespace mylos::inline MYLOS_ABI::cuda
