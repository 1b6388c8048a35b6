// SPDX-License-Identifier: MIT
#include <utility>

#include <fmt/format.h>

#include "core/cuda_device.hpp"
#include "cuda/loaded_kernel.hpp"
#include "kernel/device_program.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

class DriverProgram final : public DeviceProgram {
 public:
  DriverProgram(const std::shared_ptr<cuda::Context>& context, const jit::CompileRequest& request)
      : compiled_(compile_for(*context, request)),
        wait_after_launch_(request.debug),
        kernel_(*context,
                std::make_shared<cuda::Module>(context, compiled_.image, fmt::format("kernel '{}'", request.name)),
                compiled_.name, request.name) {}

  void launch(const LaunchShape& shape, const ParameterBlock& parameters, const Device& stream) const override {
    kernel_.launch(*cuda_context(), cuda_stream(stream),
                   {.grid = narrowed(shape.grid), .block = narrowed(shape.block), .shared_bytes = shape.shared_bytes},
                   parameters.bytes());
    if (wait_after_launch_) stream.fence("mylos: debugging waits after each launch");
  }
  [[nodiscard]] const CompiledKernel& compiled() const override { return compiled_; }

 private:
  CompiledKernel compiled_;
  bool wait_after_launch_;
  cuda::LoadedKernel kernel_;
};

}  // namespace

std::shared_ptr<const DeviceProgram> make_driver_program(jit::CompileRequest request) {
  return std::make_shared<DriverProgram>(cuda_context(), std::move(request));
}

}  // namespace mylos::inline MYLOS_ABI::detail
