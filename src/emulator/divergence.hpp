// SPDX-License-Identifier: MIT
// Findings about threads that do not meet: told from what the threads of a block wait in. Those at a barrier must be
// held (mylos_worker). No finding names its kernel.
#pragma once

#include <chrono>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>

#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Block and thread, along the axes that the launch has.
[[nodiscard]] Site site_of(const mylos_launch& launch, const mylos_place& place);
/// Of a thread of the worker's block, without a line.
[[nodiscard]] Site site_of(const mylos_worker& worker, int thread);

/// A finding, and the threads of the worker's block that its sites are of.
struct Problem {
  Finding finding;
  std::vector<int> threads = {};
};

/// Threads that have left the kernel, while others wait at a barrier.
[[nodiscard]] Problem explain_left(const mylos_worker& worker);
/// Threads that wait at different barriers.
[[nodiscard]] Problem explain_barriers(const mylos_worker& worker);
/// Lanes that wait in a warp operation for others, which do not come.
[[nodiscard]] Problem explain_operations(const mylos_worker& worker);
/// A lane that shuffles from one that takes no part.
[[nodiscard]] Problem explain_read(const mylos_worker& worker, int thread);
/// An operation that the running thread cannot call like this.
[[nodiscard]] Problem explain_misuse(const mylos_worker& worker, int misuse, int value);
/// Threads that wait through atomics, none getting on, for so long or, without a time, certainly forever; this one
/// among them. In a checked launch blocks do not wait for each other so.
[[nodiscard]] Problem explain_spinning(const mylos_worker& worker, int thread,
                                       std::optional<std::chrono::seconds> waited, bool checked);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
