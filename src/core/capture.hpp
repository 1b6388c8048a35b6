// SPDX-License-Identifier: MIT
// Whether a thread's work on the device is being recorded: CudaGraph of the kernel module does it, everything that
// cannot be recorded asks here.
#pragma once

#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// While one lives, this thread records.
class MYLOS_EXPORT Capturing {
 public:
  /// Throws LaunchError when the thread records already.
  Capturing();
  ~Capturing();
  Capturing(const Capturing&) = delete;
  Capturing& operator=(const Capturing&) = delete;
};

/// Throws LaunchError where the thread records: `what`, such as "a wait ('fence')", would happen once, now, and never
/// when the graph is launched.
MYLOS_EXPORT void require_no_capture(std::string_view what);
[[nodiscard]] MYLOS_EXPORT bool is_capturing() noexcept;

}  // namespace mylos::inline MYLOS_ABI::detail
