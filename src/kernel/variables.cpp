// SPDX-License-Identifier: MIT
// Variables of a kernel's text, copied from and to the host between launches.
#include <cstddef>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/copy_events.hpp>

#include "core/capture.hpp"
#include "kernel/cuda_kernel_state.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

struct Variable {
  std::shared_ptr<const detail::DeviceProgram> program;  // whose it is
  std::span<std::byte> bytes;
};

// That of the program which a launch would use now, for a copy of `size` bytes.
Variable variable_of(const std::string& kernel, detail::KernelText& text, std::string_view name, std::size_t size) {
  if (detail::is_capturing()) {
    detail::require_no_capture(fmt::format("a copy of variable '{}' of kernel '{}'", name, kernel));
  }
  auto program = text.program(detail::Reach::device);
  const std::span<std::byte> bytes = program->variable(name);
  if (bytes.size() != size) {
    throw ValueError(
        fmt::format("kernel '{}': variable '{}' has {} bytes, the value on the host {}: it would be copied in part, or "
                    "with bytes of others: use the type that the text declares, for an array std::array or one of C",
                    kernel, name, bytes.size(), size));
  }
  return {std::move(program), bytes};
}

}  // namespace

void CudaKernel::write_variable(std::string_view name, std::span<const std::byte> value, const Device& stream,
                                std::source_location place) const {
  const auto [program, bytes] = variable_of(state_->name, state_->text(), name, value.size());
  detail::publish({.kind = CopyKind::to_device, .bytes = value.size(), .destination = name, .place = place});
  program->write(bytes, value.data(), stream);
}

void CudaKernel::read_variable(std::string_view name, std::span<std::byte> value, const Device& stream,
                               std::source_location place) const {
  const auto [program, bytes] = variable_of(state_->name, state_->text(), name, value.size());
  detail::publish({.kind = CopyKind::to_host, .bytes = value.size(), .source = name, .place = place});
  program->read(value.data(), bytes, stream);
  stream.fence("mylos: a variable of a kernel is read");
}

}  // namespace mylos::inline MYLOS_ABI
