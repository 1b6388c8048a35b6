// SPDX-License-Identifier: MIT
// Other processes that call NVRTC for this one: docs/decisions/0012-nvrtc-in-other-processes.md.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include <mylos/base/abi.hpp>
#include <mylos/cuda/nvrtc.hpp>

#include "base/process.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {

/// The program that compiles for this process, mylos_kernel_compiler: where it lies relative to the file that holds
/// this function, in an installation or in the build tree. Empty where there is none.
[[nodiscard]] MYLOS_EXPORT std::string nvrtc_program();

/// While one lives, compile_by_nvrtc() of this thread calls NVRTC in a process of its own, which begins with the first
/// call and ends with the scope. Where that cannot be, it is told once by log::info, and is done in this process.
class MYLOS_EXPORT ScopedNvrtcProcess {
 public:
  explicit ScopedNvrtcProcess(std::string program = nvrtc_program());
  ScopedNvrtcProcess(const ScopedNvrtcProcess&) = delete;
  ScopedNvrtcProcess& operator=(const ScopedNvrtcProcess&) = delete;
  ~ScopedNvrtcProcess();

  /// As nvrtc.compile(), and throws CompileError when the process ends before it answers; the next call has another.
  [[nodiscard]] cuda::NvrtcResult compile(const cuda::Nvrtc& nvrtc, const cuda::NvrtcRequest& request);
  /// Of the process; 0 while there is none.
  [[nodiscard]] pid_t process_id() const noexcept { return process_ == nullptr ? 0 : process_->id(); }

 private:
  std::string program_;
  bool is_usable_ = true;
  std::unique_ptr<mylos::detail::ChildProcess> process_;
  ScopedNvrtcProcess* outer_;
};

/// nvrtc.compile(request), in the process of this thread's innermost scope, if there is one.
[[nodiscard]] cuda::NvrtcResult compile_by_nvrtc(const cuda::Nvrtc& nvrtc, const cuda::NvrtcRequest& request);

/// The other side, of mylos_kernel_compiler: answers on its standard input, a socket, until that ends. Throws Error
/// when it is none.
MYLOS_EXPORT void serve_nvrtc();

}  // namespace mylos::inline MYLOS_ABI::jit::detail
