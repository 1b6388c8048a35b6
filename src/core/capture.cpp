// SPDX-License-Identifier: MIT
#include "core/capture.hpp"

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

thread_local Capture* capture_of_thread = nullptr;

}  // namespace

Capture::Capture() {
  require_no_capture("another capture");
  capture_of_thread = this;
}

Capture::~Capture() { capture_of_thread = nullptr; }

Capture* Capture::of_thread() noexcept { return capture_of_thread; }

void require_no_capture(std::string_view what) {
  if (!is_capturing()) return;
  throw LaunchError(fmt::format(
      "{} in a capture of CudaGraph: it would happen now, once, and not when the graph is launched: a graph "
      "holds launches of CUDA kernels only: do it before or after the capture",
      what));
}

}  // namespace mylos::inline MYLOS_ABI::detail
