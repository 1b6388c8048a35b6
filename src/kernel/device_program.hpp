// SPDX-License-Identifier: MIT
// A kernel compiled for a device, ready to be launched there: on the emulated one, or on a GPU by the driver.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/kernel/launch.hpp>

#include "cuda/loaded_kernel.hpp"
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
  /// The bytes on the device of a variable of the text, as long as this lives; each name is looked for once. Throws
  /// LookupError with the names that there are.
  [[nodiscard]] std::span<std::byte> variable(std::string_view name) const;
  /// Queues a copy to one on the stream; the host's memory may be used again at return.
  virtual void write(std::span<std::byte> variable, const void* source, const Device& stream) const = 0;
  /// Queues a copy of one; it is complete after a wait for the stream.
  virtual void read(void* destination, std::span<const std::byte> variable, const Device& stream) const = 0;
  /// What the driver has loaded of it; null on the emulated device, where a launch is complete when it returns.
  [[nodiscard]] virtual const cuda::LoadedKernel* on_gpu() const = 0;
  /// What it was made from; an emulated one has no image.
  [[nodiscard]] virtual const CompiledKernel& compiled() const = 0;
  /// From 1; no other program of this process has or had the same.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }

 private:
  [[nodiscard]] virtual std::span<std::byte> find_variable(std::string_view name) const = 0;

  std::uint64_t serial_;
  mutable std::mutex finding_;
  mutable std::map<std::string, std::span<std::byte>, std::less<>> variables_;  // that were found
};

/// Extents within CUDA's limits, as its calls take them.
[[nodiscard]] inline std::array<std::uint32_t, 3> narrowed(const Extents3& checked) {
  return {static_cast<std::uint32_t>(checked.x), static_cast<std::uint32_t>(checked.y),
          static_cast<std::uint32_t>(checked.z)};
}
/// What becomes of the shape for the driver.
[[nodiscard]] inline cuda::LaunchConfig config_of(const LaunchShape& shape) {
  return {.grid = narrowed(shape.grid), .block = narrowed(shape.block), .shared_bytes = shape.shared_bytes};
}

[[nodiscard]] std::shared_ptr<const DeviceProgram> make_emulated_program(const emulator::Source& source);

/// On the GPU of the engine in use: one of `images`, of which embedded_port() tells, where one fits, else compiled by
/// NVRTC for its architecture, which is filled in.
[[nodiscard]] std::shared_ptr<const DeviceProgram> make_driver_program(const jit::CompileRequest& request,
                                                                       std::span<const NamedText> images);

}  // namespace mylos::inline MYLOS_ABI::detail
