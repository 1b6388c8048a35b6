// SPDX-License-Identifier: MIT
// Whether a thread's work on the device is being recorded: CudaGraph of the kernel module does it, everything that
// cannot be recorded asks here.
#pragma once

#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// What records the launches of one thread while it lives; LaunchRecorder derives from it, and nothing else does.
class Capture {
 public:
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// Null where this thread records nothing.
  [[nodiscard]] static Capture* of_thread() noexcept;

 protected:
  /// Throws LaunchError when the thread records already.
  Capture();
  ~Capture();
};

[[nodiscard]] inline bool is_capturing() noexcept { return Capture::of_thread() != nullptr; }

/// Throws LaunchError where the thread records: `what`, such as "a wait ('fence')", would happen once, now, and never
/// when the graph is launched.
void require_no_capture(std::string_view what);

}  // namespace mylos::inline MYLOS_ABI::detail
