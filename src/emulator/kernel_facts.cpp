// SPDX-License-Identifier: MIT
#include "emulator/kernel_facts.hpp"

#include <algorithm>

#include "emulator/object_file.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// The shim's variables.
constexpr const char* marks_barriers = "mylos_ring";
constexpr const char* marks_waiting = "mylos_turns";
constexpr const char* marks_grid_barriers = "mylos_grid";
constexpr const char* marks_atomics = "mylos_concurrent";

}  // namespace

KernelFacts examine(const ObjectFile& object) {
  // One of the two may not be there.
  const ObjectFile::References in_loop = object.references_of("mylos_vector");
  const ObjectFile::References in_threads = object.references_of("mylos_threads");
  const auto refers_to = [&](const char* name) {
    return in_loop.names.contains(name) || in_threads.names.contains(name);
  };
  KernelFacts facts;
  facts.has_dynamic_shared = !object.undefined_thread_locals().empty();
  facts.has_atomics = refers_to(marks_atomics);
  facts.blocks_meet = refers_to(marks_grid_barriers);
  facts.static_shared_bytes = std::max(in_threads.thread_local_bytes, in_loop.thread_local_bytes);
  if (refers_to(marks_barriers)) {
    facts.execution = Execution::fibers;
  } else if (facts.has_atomics || refers_to(marks_waiting)) {
    facts.execution = Execution::thread_loop;
  } else {
    facts.execution = Execution::vector_loop;
  }
  return facts;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
