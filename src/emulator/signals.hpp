// SPDX-License-Identifier: MIT
// Signal handlers that call what was installed before them.
#pragma once

#include <signal.h>

#include <cstdint>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// What `previous` would have done with this signal. For a default action: puts it back, so that the instruction,
/// repeated on return, ends the process as it would have without us.
void pass_on(const struct sigaction& previous, int signal, siginfo_t* info, void* context);

/// Ends a kernel that runs too long where it is sent to one of its job's threads. Harmless where it comes too late:
/// what nobody asked for is ignored by default.
inline constexpr int interrupting_signal = SIGURG;

/// While one of these exists, faults of kernels end their launch and not the process (SIGSEGV, SIGBUS, SIGFPE, SIGILL).
/// Faults elsewhere go to the handlers from before. Counts; the last one puts those back.
class KernelFaultHandlers {
 public:
  KernelFaultHandlers();
  ~KernelFaultHandlers();
  KernelFaultHandlers(const KernelFaultHandlers&) = delete;
  KernelFaultHandlers& operator=(const KernelFaultHandlers&) = delete;
};

class BlockRunner;

/// What a signal in a kernel means. Not for signal handlers.
Finding explain_fault(int signal, std::uintptr_t address, const BlockRunner& runner);

/// Gives the calling OS thread a stack for signal handlers, if it has none: a kernel's own may be what is at fault.
void need_signal_stack();

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
