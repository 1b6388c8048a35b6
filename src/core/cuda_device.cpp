// SPDX-License-Identifier: MIT
#include "core/cuda_device.hpp"

#include <fmt/format.h>

#include <mylos/cuda/driver.hpp>

#include "core/cuda_engine.hpp"

namespace mylos::inline MYLOS_ABI::detail {

std::string cuda_fault() { return cuda::driver().usable() ? cuda::Driver::instance().fault() : std::string(); }

std::string why_unreachable(const cuda::Context& context, const void* pointer) {
  const cuda::Current current(context);
  const auto info = context.driver().pointer_info(pointer);
  if (!info) {
    return fmt::format(
        "its address {} is no memory of the device: it was freed, or it is the host's: pass memory of "
        "mylos::DeviceSpace, or of another library on device {}, that is alive",
        pointer, context.ordinal());
  }
  if (info->type != cuda::MemoryType::device || info->device == context.ordinal()) return {};
  return fmt::format(
      "its memory is on device {}, and this process works on device {}: copy it there, or choose the "
      "other device with mylos::set_device or MYLOS_DEVICE",
      info->device, context.ordinal());
}

CompiledKernel compile_for(const cuda::Context& context, jit::CompileRequest request) {
  const jit::NvrtcCompiler compiler;
  request.architecture = jit::choose_architecture(context.properties().compute_capability,
                                                  compiler.supported_architectures(), compiler.description());
  return compiler.compile(request);
}

}  // namespace mylos::inline MYLOS_ABI::detail
