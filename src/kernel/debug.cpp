// SPDX-License-Identifier: MIT
#include <mylos/kernel/debug.hpp>

#include <atomic>

#include <mylos/base/environment.hpp>

namespace mylos::inline MYLOS_ABI {
namespace {

constexpr int unset = -1;
std::atomic<int> process_wide{unset};
thread_local int scoped = unset;

}  // namespace

void set_debug(bool on) { process_wide.store(on ? 1 : 0, std::memory_order_relaxed); }

bool debug() {
  if (scoped != unset) return scoped != 0;
  int value = process_wide.load(std::memory_order_relaxed);
  if (value == unset) {
    value = environment::boolean("MYLOS_DEBUG").value_or(false) ? 1 : 0;
    // Read once: a launch must not search the environment. A set_debug() meanwhile stays.
    int expected = unset;
    if (!process_wide.compare_exchange_strong(expected, value)) value = expected;
  }
  return value != 0;
}

ScopedDebug::ScopedDebug(bool on) : before_(scoped) { scoped = on ? 1 : 0; }

ScopedDebug::~ScopedDebug() { scoped = before_; }

}  // namespace mylos::inline MYLOS_ABI
