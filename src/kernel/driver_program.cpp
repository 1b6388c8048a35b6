// SPDX-License-Identifier: MIT
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "base/variable_names.hpp"
#include "core/cuda_device.hpp"
#include "cuda/loaded_kernel.hpp"
#include "jit/image_variables.hpp"
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
    const bool is_cubin = image->architecture.starts_with("sm_");
    log::info(fmt::format("{}: the {} for {} that is part of the program", kernel, is_cubin ? "cubin" : "PTX",
                          image->architecture));
    return *std::move(image);
  }
  const std::string reason = fmt::format("{}: no code that is part of the program runs on compute capability {}.{}",
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

class DriverProgram final : public DeviceProgram {
 public:
  DriverProgram(const std::shared_ptr<cuda::Context>& context, const jit::CompileRequest& request,
                std::span<const NamedText> images)
      : compiled_(compiled_for(*context, request, images)),
        kernel_(*context,
                std::make_shared<cuda::Module>(context, compiled_.image, fmt::format("kernel '{}'", request.name)),
                compiled_.name, request.name) {}

  void launch(const LaunchShape& shape, const ParameterBlock& parameters, const Device& stream) const override {
    kernel_.launch(*cuda_context(), cuda_stream(stream), config_of(shape), parameters.bytes());
  }
  void write(std::span<std::byte> variable, const void* source, const Device& stream) const override {
    const cuda::Context& context = *cuda_context();
    const cuda::Current current(context);
    context.copy_to_device(cuda_stream(stream), variable.data(), source, variable.size());
  }
  void read(void* destination, std::span<const std::byte> variable, const Device& stream) const override {
    const cuda::Context& context = *cuda_context();
    const cuda::Current current(context);
    context.driver().copy_to_host(cuda_stream(stream), destination, variable.data(), variable.size());
  }
  [[nodiscard]] const cuda::LoadedKernel* on_gpu() const override { return &kernel_; }
  [[nodiscard]] const CompiledKernel& compiled() const override { return compiled_; }

 private:
  [[nodiscard]] std::span<std::byte> find_variable(std::string_view name) const override {
    const auto variables = jit::detail::variables_in(compiled_.image);
    if (const auto found = variables.find(name); found != variables.end()) {
      return kernel_.variable(*cuda_context(), found->second);
    }
    std::vector<std::string> names;
    for (const auto& [known, symbol] : variables) names.push_back(known);
    throw_no_variable(fmt::format("kernel '{}'", kernel_.name()), name, names);
  }

  CompiledKernel compiled_;
  cuda::LoadedKernel kernel_;
};

}  // namespace

std::shared_ptr<const DeviceProgram> make_driver_program(const jit::CompileRequest& request,
                                                         std::span<const NamedText> images) {
  return std::make_shared<DriverProgram>(cuda_context(), request, images);
}

}  // namespace mylos::inline MYLOS_ABI::detail
