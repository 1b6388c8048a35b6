// SPDX-License-Identifier: MIT
// Where launches go while a thread captures a CudaGraph.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/kernel/launch.hpp>

#include "core/capture.hpp"
#include "kernel/argument_plan.hpp"
#include "kernel/device_program.hpp"

namespace mylos::inline MYLOS_ABI::detail {

class LaunchRecorder {
 public:
  /// The thread's own from now on. Throws LaunchError when it has one.
  explicit LaunchRecorder(const Device& stream);
  ~LaunchRecorder();
  LaunchRecorder(const LaunchRecorder&) = delete;
  LaunchRecorder& operator=(const LaunchRecorder&) = delete;

  /// Null where the thread captures nothing.
  [[nodiscard]] static LaunchRecorder* current() noexcept;

  [[nodiscard]] const Device& stream() const { return stream_; }
  /// Throws LaunchError for a launch on another stream.
  void add(const Call& call, const Launch& settings, const LaunchShape& shape, const ParameterBlock& parameters,
           std::shared_ptr<const DeviceProgram> program);
  [[nodiscard]] std::vector<RecordedLaunch> take() { return std::move(launches_); }

 private:
  Capturing capturing_;
  Device stream_;
  std::vector<RecordedLaunch> launches_;
};

}  // namespace mylos::inline MYLOS_ABI::detail
