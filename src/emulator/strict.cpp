// SPDX-License-Identifier: MIT
#include "emulator/strict.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <mylos/base/environment.hpp>

#include "emulator/arena.hpp"
#include "emulator/registry.hpp"
#include "emulator/signals.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

struct sigaction previous_action;

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void tell(std::uintptr_t address) {
  std::array<char, 512> label;
  const std::size_t size = Registry::instance().describe(address, label.data(), label.size());
  write_all("mylos: error: the host dereferenced memory of the emulated device: ");
  write_all({label.data(), size});
  write_all(": host code cannot reach DeviceSpace: use to_host(), host_call() or a kernel\n");
}

// A kernel's own faults are not for us: the arena is open while one runs.
void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const Arena* const arena = Arena::existing();
  if (arena != nullptr && arena->contains(address) && !arena->is_open()) tell(address);
  pass_on(previous_action, signal, info, context);
}

bool install() {
  if (!environment::boolean("MYLOS_EMULATOR_STRICT").value_or(false)) return false;
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  return ::sigaction(SIGSEGV, &action, &previous_action) == 0;
}

}  // namespace

void watch_host_accesses_if_asked() { [[maybe_unused]] static const bool installed = install(); }

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
