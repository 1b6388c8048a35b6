// SPDX-License-Identifier: MIT
#include <mylos/emulator/finding.hpp>

#include <array>
#include <utility>

namespace mylos::inline MYLOS_ABI {
namespace emulator {

std::string_view to_string(Kind kind) noexcept {
  constexpr std::array<std::string_view, 10> names{"memory",       "race",      "barrier",    "initialisation",
                                                   "thread_order", "alignment", "arithmetic", "assertion",
                                                   "deadlock",     "crash"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view explanation_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::memory: return "what is outside of the memory that a kernel was given belongs to others, or to nobody";
    case Kind::race:
      return "two threads access the same bytes, one of them writes, and nothing orders them: the result is chance";
    case Kind::barrier: return "threads wait for each other in different places: undefined on a GPU, or without end";
    case Kind::initialisation: return "memory that nobody has written holds whatever was there before";
    case Kind::thread_order:
      return "a GPU promises no order of threads, and in another order the result is another one";
    case Kind::alignment: return "a GPU accesses a value only at an address that is a multiple of its size";
    case Kind::arithmetic: return "an integer division by zero has no result, and a GPU does not stop at it";
    case Kind::assertion: return "the kernel itself finds that what it takes for granted does not hold";
    case Kind::deadlock: return "threads wait for what never comes";
    default: return "the kernel did what ends a program: an invalid access, a full stack, an exception";
  }
}

std::string_view remedy_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::memory:
      return "a guard for threads that have no element (if (i < n)), and the extents of the right View";
    case Kind::race: return "a barrier between the two, atomic functions, or one thread alone for each element";
    case Kind::barrier: return "conditions around the work and not around the barrier, and no return before it";
    case Kind::initialisation:
      return "a View that is filled, a shared array that each block writes before a barrier and reads behind it";
    case Kind::thread_order:
      return "sums in a fixed order, places that do not depend on who comes first, or a tolerance";
    case Kind::alignment: return "aligned offsets into memory that is cut up by hand, or accesses to the single parts";
    case Kind::arithmetic: return "a check of the divisor";
    case Kind::assertion: return "a look at the arguments of the launch and at the values that the kernel reads";
    case Kind::deadlock: return "no waiting across a barrier or for a block that may not run yet, and loops that end";
    default: return "small local arrays and flat recursion, pointers to device memory only, no exceptions";
  }
}

}  // namespace emulator

EmulationError::EmulationError(std::vector<emulator::Finding> findings, std::source_location where)
    : Error(emulator::report_of(findings), where), findings_(std::move(findings)) {}

}  // namespace mylos::inline MYLOS_ABI
