// SPDX-License-Identifier: MIT
#include "emulator/atomics_gate.hpp"

#include <condition_variable>
#include <mutex>

#include "emulator/loader.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

struct Gate {
  std::mutex mutex;
  std::condition_variable free;
  int inside = 0;
  bool plain = false;      // the one inside has plain atomics
  bool contended = false;  // launches have met
};

Gate& gate() {
  static auto* const instance = new Gate;  // never destroyed: launches in destructors of statics use it
  return *instance;
}

}  // namespace

AtomicsGate::AtomicsGate(const Module& module, bool alone_in_launch) : has_atomics_(module.facts().has_atomics) {
  if (!has_atomics_) return;
  Gate& g = gate();
  std::unique_lock lock(g.mutex);
  if (g.inside > 0) g.contended = true;
  g.free.wait(lock, [&g] { return !g.plain; });
  ++g.inside;
  g.plain = alone_in_launch && !g.contended && g.inside == 1;
  module.set_concurrent(!g.plain);
}

AtomicsGate::~AtomicsGate() {
  if (!has_atomics_) return;
  Gate& g = gate();
  const std::lock_guard lock(g.mutex);
  --g.inside;
  g.plain = false;
  g.free.notify_all();
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
