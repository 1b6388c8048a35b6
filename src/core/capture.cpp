// SPDX-License-Identifier: MIT
#include "core/capture.hpp"

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

thread_local bool capturing = false;

}  // namespace

Capturing::Capturing() {
  require_no_capture("another capture");
  capturing = true;
}

Capturing::~Capturing() { capturing = false; }

bool is_capturing() noexcept { return capturing; }

void require_no_capture(std::string_view what) {
  if (!capturing) return;
  throw LaunchError(fmt::format(
      "{} in a capture of CudaGraph: it would happen now, once, and not when the graph is launched: a graph "
      "holds launches of CUDA kernels only: do it before or after the capture",
      what));
}

}  // namespace mylos::inline MYLOS_ABI::detail
