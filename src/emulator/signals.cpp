// SPDX-License-Identifier: MIT
#include "emulator/signals.hpp"

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "emulator/arena.hpp"
#include "emulator/block_runner.hpp"
#include "emulator/registry.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

constexpr std::array handled{SIGSEGV, SIGBUS, SIGFPE, SIGILL, interrupting_signal};

std::mutex mutex;
int users = 0;
std::array<struct sigaction, handled.size()> previous;

std::string what_is_at(std::uintptr_t address) {
  const Arena* const arena = Arena::existing();
  if (arena == nullptr || !arena->contains(address)) return "which is no memory of the emulated device";
  std::array<char, 512> text;
  const std::size_t size = Registry::instance().describe(address, text.data(), text.size());
  return {text.data(), size};
}

// Where a kernel that is at fault goes on when the handler has returned. Its fiber's stack begins anew: nobody comes
// back to what was on it, and it may have been full. False: not written for this processor.
bool redirect(void* context, std::uintptr_t stack, void (*target)()) {
#if defined(__x86_64__)
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  registers[REG_RSP] = static_cast<greg_t>(stack - sizeof(void*));  // as behind a call
  registers[REG_RIP] = reinterpret_cast<greg_t>(target);
  return true;
#elif defined(__aarch64__)
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  registers.sp = stack;
  registers.pc = reinterpret_cast<std::uintptr_t>(target);
  return true;
#else
  (void)context, (void)stack, (void)target;
  return false;
#endif
}

std::uintptr_t instruction_of(const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

void on_signal(int signal, siginfo_t* info, void* context) {
  BlockRunner* const runner = BlockRunner::running();
  const bool in_kernel = runner != nullptr && runner->in_kernel();
  if (signal == interrupting_signal && in_kernel && runner->job().is_interrupted()) {
    // A function that the kernel calls may hold a lock: it is not left, but asked again.
    if (!runner->job().module().holds_code(instruction_of(context))) return;
    runner->note_fault(signal, 0, instruction_of(context));
    redirect(context, runner->top_of_stack(), &BlockRunner::abandon_running);
    return;
  }
  if (signal != interrupting_signal && in_kernel) {
    runner->note_fault(signal, reinterpret_cast<std::uintptr_t>(info->si_addr), instruction_of(context));
    if (redirect(context, runner->top_of_stack(), &BlockRunner::abandon_running)) return;
  }
  for (std::size_t i = 0; i < handled.size(); ++i) {
    if (handled.at(i) == signal) pass_on(previous.at(i), signal, info, context);
  }
}

// Lives as long as its OS thread.
class SignalStack {
 public:
  SignalStack() {
    stack_t now{};
    if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
    memory_.resize(std::size_t{64} << 10);
    stack_t own{};
    own.ss_sp = memory_.data();
    own.ss_size = memory_.size();
    ::sigaltstack(&own, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack() {
    if (memory_.empty()) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }

 private:
  std::vector<std::byte> memory_;
};

}  // namespace

Finding explain_fault(int signal, std::uintptr_t address, const BlockRunner& runner) {
  Finding finding;
  if (signal == interrupting_signal) {
    finding = runner.job().out_of_time();
  } else if (signal == SIGFPE) {
    finding.kind = Kind::arithmetic;
    finding.text = "an integer division by zero: its result is undefined: check the divisor";
  } else if (runner.is_guard(address)) {
    finding.text = fmt::format(
        "stack overflow: a thread used more than its {} bytes: raise Options::stack_bytes, or use less recursion and "
        "smaller local arrays",
        runner.job().options().stack_bytes);
  } else if (signal == SIGILL) {
    finding.text =
        "an instruction that cannot be executed: the compiler put it where the kernel's behaviour is undefined: look "
        "for a missing return or an unreachable path";
  } else {
    finding.text = fmt::format(
        "an access to address {:#x}, {}: the pointer or index is wrong, or a host pointer that is freed: check the "
        "indices against the extents",
        address, what_is_at(address));
  }
  return finding;
}

void pass_on(const struct sigaction& previous_action, int signal, siginfo_t* info, void* context) {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
  } else if (signal != interrupting_signal) {  // that is ignored by default
    ::signal(signal, SIG_DFL);
  }
}

KernelFaultHandlers::KernelFaultHandlers() {
  const std::lock_guard lock(mutex);
  if (users++ > 0) return;
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < handled.size(); ++i) ::sigaction(handled.at(i), &action, &previous.at(i));
}

KernelFaultHandlers::~KernelFaultHandlers() {
  const std::lock_guard lock(mutex);
  if (--users > 0) return;
  for (std::size_t i = 0; i < handled.size(); ++i) ::sigaction(handled.at(i), &previous.at(i), nullptr);
}

void need_signal_stack() { thread_local const SignalStack stack; }

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
