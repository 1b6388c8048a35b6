// SPDX-License-Identifier: MIT
// A kernel compiled for a device, ready to be launched there: on the emulated one, or on a GPU by the driver.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/kernel/launch.hpp>

#include "kernel/argument_plan.hpp"

namespace mylos::inline MYLOS_ABI::detail {

class DeviceProgram {
 public:
  DeviceProgram();
  DeviceProgram(const DeviceProgram&) = delete;
  DeviceProgram& operator=(const DeviceProgram&) = delete;
  virtual ~DeviceProgram();

  /// Queues it on the stream; `shape` is not empty and within CUDA's limits. Allocates nothing. Throws LaunchError for
  /// what this kernel or this device cannot do, and what the device says.
  virtual void launch(const LaunchShape& shape, const ParameterBlock& parameters, const Device& stream) const = 0;
  /// What it was made from; an emulated one has no image.
  [[nodiscard]] virtual const CompiledKernel& compiled() const = 0;
  /// From 1; no other program of this process has or had the same.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }

 private:
  std::uint64_t serial_;
};

/// Extents within CUDA's limits, as its calls take them.
[[nodiscard]] inline std::array<std::uint32_t, 3> narrowed(const Extents3& checked) {
  return {static_cast<std::uint32_t>(checked.x), static_cast<std::uint32_t>(checked.y),
          static_cast<std::uint32_t>(checked.z)};
}

/// A launch is complete when it returns, which the order of any stream allows.
[[nodiscard]] std::shared_ptr<const DeviceProgram> make_emulated_program(const emulator::Source& source);

/// A launch that a graph holds: what it needs, by value, and the Views whose memory it works on.
struct RecordedLaunch {
  std::shared_ptr<const DeviceProgram> program;
  std::string kernel;
  LaunchShape shape;
  ParameterBlock parameters;
  std::vector<std::shared_ptr<const void>> views;
};

/// Launches that were made ready to be launched together.
class DeviceGraph {
 public:
  DeviceGraph() = default;
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  virtual ~DeviceGraph();
  /// Queues all of them, in their order.
  virtual void launch(const Device& stream) const = 0;
};

/// Each launch after the other; `launches` must outlive the graph, here and below.
[[nodiscard]] std::unique_ptr<const DeviceGraph> make_emulated_graph(std::span<const RecordedLaunch> launches);
/// One graph of the driver, of one launch at least, of the GPU of the engine in use, captured on the stream.
[[nodiscard]] std::unique_ptr<const DeviceGraph> make_driver_graph(std::span<const RecordedLaunch> launches,
                                                                   const Device& stream);

/// On the GPU of the engine in use: one of `images`, of which embedded_port() tells, where one fits, else compiled by
/// NVRTC for its architecture, which is filled in.
[[nodiscard]] std::shared_ptr<const DeviceProgram> make_driver_program(const jit::CompileRequest& request,
                                                                       std::span<const NamedText> images);

}  // namespace mylos::inline MYLOS_ABI::detail
