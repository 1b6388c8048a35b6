// SPDX-License-Identifier: MIT
// Objects of which each process has one, a process made by fork() one of its own.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <atomic>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// For objects with threads, which fork() does not copy. Never destroyed, because such threads never end.
template <class T>
T& of_this_process() {
  struct Owned {
    pid_t process = ::getpid();
    T object;
  };
  static std::atomic<Owned*> owned = new Owned;
  Owned* now = owned.load(std::memory_order_acquire);
  if (now->process == ::getpid()) return now->object;
  auto* const fresh = new Owned;
  if (owned.compare_exchange_strong(now, fresh)) return fresh->object;
  delete fresh;
  return now->object;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
