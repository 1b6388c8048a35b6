// SPDX-License-Identifier: MIT
// Launches that the driver was given once, to be launched together as often as wanted.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include <mylos/base/abi.hpp>

#include "cuda/context.hpp"

namespace mylos::inline MYLOS_ABI::cuda {

/// May outlive its context, and is then good for nothing.
class Graph {
 public:
  /// Of the launches that `queue` makes on `stream`, which does not run them. `last` and its config are what messages
  /// speak of when the graph has failed. Throws what `queue` throws, CudaError.
  Graph(const std::shared_ptr<Context>& context, Stream& stream, std::string last, const LaunchConfig& config,
        const std::function<void()>& queue);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Queues it. `context` is that of the graph and the stream. Safe from any thread, which the driver's call is not.
  void launch(const Context& context, Stream& stream) const;

 private:
  std::weak_ptr<Context> context_;
  std::string last_;
  LaunchConfig config_;
  GraphExecHandle handle_;
  mutable std::mutex launching_;
};

}  // namespace mylos::inline MYLOS_ABI::cuda
