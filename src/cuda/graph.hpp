// SPDX-License-Identifier: MIT
// Launches that the driver was given once, to be launched together as often as wanted.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include <mylos/base/abi.hpp>

#include "cuda/loaded_kernel.hpp"

namespace mylos::inline MYLOS_ABI::cuda {

/// One launch of a graph, as LoadedKernel::launch takes it.
struct GraphLaunch {
  const LoadedKernel* kernel;
  LaunchConfig config;
  std::span<const std::byte> parameters;
};

/// Its kernels must outlive it. May outlive its context, and is then good for nothing.
class Graph {
 public:
  /// Of one launch at least, each of which begins when the one before it has finished. Made node by node, so that other
  /// threads may use the driver as they like meanwhile, as during a capture by it they may not. Parameters are copied.
  /// `context` is that of the kernels. Throws as LoadedKernel::launch.
  Graph(const std::shared_ptr<Context>& context, std::span<const GraphLaunch> launches);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Queues it, on any stream. `context` is that of the graph and the stream. Safe from any thread, which the driver's
  /// call is not. Throws CudaError.
  void launch(const Context& context, Stream& stream) const;

 private:
  std::weak_ptr<Context> context_;
  std::string last_;  // which messages speak of when the graph has failed
  LaunchConfig config_;
  GraphExecHandle handle_;
  mutable std::mutex launching_;
};

}  // namespace mylos::inline MYLOS_ABI::cuda
