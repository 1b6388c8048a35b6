// SPDX-License-Identifier: MIT
// Where launches go while a thread captures a CudaGraph.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/kernel/cuda_kernel.hpp>

#include "core/capture.hpp"
#include "cuda/graph.hpp"
#include "kernel/argument_plan.hpp"
#include "kernel/device_program.hpp"
#include "kernel/prepared_launch.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// The arguments of a call, which may end before this. Views keep alive what they own; of values only the type is left.
class KeptArguments {
 public:
  explicit KeptArguments(const Arguments& arguments);
  [[nodiscard]] Arguments arguments() const { return {types_, values_}; }
  /// Whether the memory of all Views is kept alive.
  [[nodiscard]] bool own_memory() const { return own_memory_; }

 private:
  std::span<const ArgumentType* const> types_;
  std::vector<Argument> values_;
  std::vector<std::shared_ptr<const void>> views_;
  bool own_memory_ = true;
};

/// A launch that a graph holds, with all that it needs.
class RecordedLaunch {
 public:
  /// `signature` is of a text of the kernel, or null.
  RecordedLaunch(const CudaKernel& kernel, const Signature* signature, const Arguments& arguments,
                 const LaunchShape& shape, const ParameterBlock& parameters,
                 std::shared_ptr<const DeviceProgram> program);

  /// Throws SpaceError for a View that does not keep its memory alive and whose memory is gone.
  void require_memory() const;
  [[nodiscard]] bool is_watched() const { return detail::is_watched(kernel_.options()); }
  /// By itself, as PreparedLaunch::run.
  void run(const Device& stream) const;
  /// For a graph of the driver, on a GPU.
  [[nodiscard]] cuda::GraphLaunch on_gpu() const {
    return {program_->on_gpu(), config_of(shape_), parameters_.bytes()};
  }

 private:
  CudaKernel kernel_;  // whose texts, and so their signatures, live as long as it
  const Signature* signature_;
  KeptArguments arguments_;
  LaunchShape shape_;
  ParameterBlock parameters_;
  std::shared_ptr<const DeviceProgram> program_;
};

class LaunchRecorder : public Capture {
 public:
  /// The thread's own from now on. Throws LaunchError when it has one.
  explicit LaunchRecorder(Device stream) : stream_(std::move(stream)) {}

  /// Null where the thread captures nothing.
  [[nodiscard]] static LaunchRecorder* of_thread() noexcept {
    return static_cast<LaunchRecorder*>(Capture::of_thread());
  }

  [[nodiscard]] const Device& stream() const { return stream_; }
  void add(RecordedLaunch launch) { launches_.push_back(std::move(launch)); }
  [[nodiscard]] std::vector<RecordedLaunch> take() { return std::move(launches_); }

 private:
  Device stream_;
  std::vector<RecordedLaunch> launches_;
};

}  // namespace mylos::inline MYLOS_ABI::detail
