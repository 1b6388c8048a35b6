// SPDX-License-Identifier: MIT
// Where a kernel finds the OS thread's worker.
#pragma once

// How far from the thread pointer the library keeps it; set when the kernel is loaded. A thread-local variable of the
// kernel's own would take a call to find, at each barrier. The same number more than once, because the loader reads from
// the object file which of them a kernel refers to: mylos_ring means that threads meet, mylos_turns that threads may wait
// for each other through atomics, mylos_grid that blocks meet, mylos_seat nothing.
extern "C" {
MYLOS_HIDDEN long mylos_ring = 0;
MYLOS_HIDDEN long mylos_turns = 0;
MYLOS_HIDDEN long mylos_grid = 0;
MYLOS_HIDDEN long mylos_seat = 0;
}

MYLOS_INLINE mylos_worker* mylos_worker_at(long place) {
#if defined(__x86_64__)
  mylos_worker* worker;
  __asm__("movq %%fs:(%1), %0" : "=r"(worker) : "r"(place));
  return worker;
#elif defined(__aarch64__)
  mylos_worker* worker;
  __asm__("mrs %0, tpidr_el0\n\tldr %0, [%0, %1]" : "=&r"(worker) : "r"(place));
  return worker;
#else
  return *reinterpret_cast<mylos_worker* const*>(static_cast<const char*>(__builtin_thread_pointer()) + place);
#endif
}
#ifdef MYLOS_CHECKED
// Something that threads may see is not what it was: those that wait may get on.
MYLOS_OWN_ACCESSES void mylos_note_change() { ++mylos_worker_at(mylos_seat)->changes; }
#endif
