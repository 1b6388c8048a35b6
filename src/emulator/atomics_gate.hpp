// SPDX-License-Identifier: MIT
// When may atomics be plain reads and writes?
#pragma once

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Module;

/// Held by a launch of a kernel with atomics while it runs.
///
/// A launch on one OS thread may have plain ones as long as no other launch with atomics runs: another that comes
/// meanwhile waits for its end. Since that costs the other its parallelism, it happens once: from then on all atomics
/// of this process are indivisible.
class AtomicsGate {
 public:
  AtomicsGate(const Module& module, bool alone_in_launch);
  ~AtomicsGate();
  AtomicsGate(const AtomicsGate&) = delete;
  AtomicsGate& operator=(const AtomicsGate&) = delete;

 private:
  bool has_atomics_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
