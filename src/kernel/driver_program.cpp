// SPDX-License-Identifier: MIT
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>
#include <mylos/kernel/debug.hpp>

#include "core/capture.hpp"
#include "core/cuda_device.hpp"
#include "cuda/graph.hpp"
#include "cuda/loaded_kernel.hpp"
#include "kernel/device_program.hpp"
#include "kernel/embedded_image.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// One of the program's own images where one fits the device, else compiled now.
CompiledKernel compiled_for(const cuda::Context& context, const jit::CompileRequest& request,
                            std::span<const NamedText> images) {
  if (images.empty()) return compile_for(context, request);
  const int capability = context.properties().compute_capability;
  const std::string kernel = fmt::format("kernel '{}' ({})", request.name, request.file);
  if (auto image = image_for(images, request.name, capability)) {
    log::info(fmt::format("{}: the cubin for {} that is part of the program", kernel, image->architecture));
    return *std::move(image);
  }
  const std::string reason = fmt::format("{}: no cubin that is part of the program runs on compute capability {}.{}",
                                         kernel, capability / 10, capability % 10);
  log::info(reason);
  try {
    return compile_for(context, request);
  } catch (const BackendError& error) {
    throw BackendError(
        fmt::format("{}: it has to be compiled now, and cannot be: {}; or build the program for this "
                    "device: mylos_add_kernels(... ARCHITECTURES {})",
                    reason, error.what(), capability));
  }
}

cuda::LaunchConfig config_of(const LaunchShape& shape) {
  return {.grid = narrowed(shape.grid), .block = narrowed(shape.block), .shared_bytes = shape.shared_bytes};
}

class DriverProgram final : public DeviceProgram {
 public:
  DriverProgram(const std::shared_ptr<cuda::Context>& context, const jit::CompileRequest& request,
                std::span<const NamedText> images)
      : compiled_(compiled_for(*context, request, images)),
        wait_after_launch_(request.debug),
        kernel_(*context,
                std::make_shared<cuda::Module>(context, compiled_.image, fmt::format("kernel '{}'", request.name)),
                compiled_.name, request.name) {}

  void launch(const LaunchShape& shape, const ParameterBlock& parameters, const Device& stream) const override {
    kernel_.launch(*cuda_context(), cuda_stream(stream), config_of(shape), parameters.bytes());
    if (wait_after_launch_ && !is_capturing()) stream.fence("mylos: debugging waits after each launch");
  }
  [[nodiscard]] const CompiledKernel& compiled() const override { return compiled_; }

 private:
  CompiledKernel compiled_;
  bool wait_after_launch_;
  cuda::LoadedKernel kernel_;
};

class DriverGraph final : public DeviceGraph {
 public:
  DriverGraph(std::span<const RecordedLaunch> launches, const Device& stream)
      : graph_(cuda_context(), cuda_stream(stream),
               fmt::format("{} (the last of {} launches of a graph)", launches.back().kernel, launches.size()),
               config_of(launches.back().shape), [&] {
                 for (const RecordedLaunch& one : launches) one.program->launch(one.shape, one.parameters, stream);
               }) {}
  void launch(const Device& stream) const override {
    graph_.launch(*cuda_context(), cuda_stream(stream));
    if (debug()) stream.fence("mylos: debugging waits after each launch");
  }

 private:
  cuda::Graph graph_;
};

}  // namespace

std::unique_ptr<const DeviceGraph> make_driver_graph(std::span<const RecordedLaunch> launches, const Device& stream) {
  return std::make_unique<DriverGraph>(launches, stream);
}

std::shared_ptr<const DeviceProgram> make_driver_program(const jit::CompileRequest& request,
                                                         std::span<const NamedText> images) {
  return std::make_shared<DriverProgram>(cuda_context(), request, images);
}

}  // namespace mylos::inline MYLOS_ABI::detail
