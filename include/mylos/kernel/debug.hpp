// SPDX-License-Identifier: MIT
// Debugging of kernels: bounds checks in mylos::Array, line information, a wait after each launch.
#pragma once

#include <optional>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Process-wide switch; overrides MYLOS_DEBUG. Kernels are compiled anew for it, once. CudaOptions::debug of a kernel,
/// and a ScopedDebug of this thread, win over it.
MYLOS_EXPORT void set_debug(bool on);

/// What holds in this thread now. Throws ValueError for a bad MYLOS_DEBUG.
[[nodiscard]] MYLOS_EXPORT bool debug();

/// The switch of this thread while the object lives; nests.
class MYLOS_EXPORT ScopedDebug {
 public:
  explicit ScopedDebug(bool on = true);
  ~ScopedDebug();
  ScopedDebug(const ScopedDebug&) = delete;
  ScopedDebug& operator=(const ScopedDebug&) = delete;

 private:
  std::optional<bool> outer_;
};

}  // namespace mylos::inline MYLOS_ABI
