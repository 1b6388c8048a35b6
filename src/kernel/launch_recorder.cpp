// SPDX-License-Identifier: MIT
#include "kernel/launch_recorder.hpp"

namespace mylos::inline MYLOS_ABI::detail {

KeptArguments::KeptArguments(const Arguments& arguments)
    : types_(arguments.types()), values_(arguments.begin(), arguments.end()) {
  for (Argument& argument : values_) {
    if (argument.type->is_view) {
      argument.object = views_.emplace_back(argument.type->share(argument.object)).get();
      own_memory_ = own_memory_ && argument.type->owns(argument.object);
    } else {
      argument.object = argument.data = nullptr;
    }
  }
}

RecordedLaunch::RecordedLaunch(const CudaKernel& kernel, const Signature* signature, const Arguments& arguments,
                               const LaunchShape& shape, const ParameterBlock& parameters,
                               std::shared_ptr<const DeviceProgram> program)
    : kernel_(kernel),
      signature_(signature),
      arguments_(arguments),
      shape_(shape),
      parameters_(parameters),
      program_(std::move(program)) {}

void RecordedLaunch::require_memory() const {
  if (!arguments_.own_memory()) check_addresses({kernel_.name(), signature_, arguments_.arguments()});
}

void RecordedLaunch::run(const Device& stream) const {
  const Arguments arguments = arguments_.arguments();
  const Call call{kernel_.name(), signature_, arguments};
  PreparedLaunch{call, kernel_.options(), shape_, parameters_, *program_}.run(stream);
}

}  // namespace mylos::inline MYLOS_ABI::detail
