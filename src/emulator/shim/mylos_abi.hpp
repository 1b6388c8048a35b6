// SPDX-License-Identifier: MIT
// What a compiled kernel and the scheduler share. Included by the library and by every kernel's text, so: C++17, no
// header, plain data. A change here changes the shim's text, and with it the key of every compiled kernel.
#pragma once

#include "jit/mylos_parameters.hpp"

// A kernel's text sees these names, so all of them begin with mylos_.
// NOLINTBEGIN(readability-identifier-naming)

enum : int {
  mylos_max_threads = 1024,  // of a block
  mylos_lanes = 32,          // of a warp
  mylos_max_warps = mylos_max_threads / mylos_lanes,
  // The scheduler's own place among the fibers: not the number of the thread that would come behind the last one.
  mylos_scheduler_slot = mylos_max_threads + 1,
  mylos_atomics_before_turn = 256,  // that changed nothing, before other threads get a turn
};

// Why a thread went back to the scheduler.
enum mylos_reason : int {
  mylos_at_barrier,
  mylos_at_operation,
  mylos_finished,
  mylos_spinning,
  mylos_published,
  mylos_gave_turn,
  mylos_failed
};

// What ends a launch early.
enum mylos_failure : int { mylos_failed_assertion, mylos_trapped, mylos_grid_too_large };

// What threads wait for each other in.
enum mylos_operation : int {
  mylos_barrier,
  mylos_sync_warp,
  mylos_shuffle_index,
  mylos_shuffle_up,
  mylos_shuffle_down,
  mylos_shuffle_xor,
  mylos_ballot,
  mylos_all,
  mylos_any,
  mylos_active_mask,
  mylos_match_any,
  mylos_match_all,
  mylos_reduce_add,
  mylos_reduce_min,
  mylos_reduce_max,
  mylos_reduce_min_signed,
  mylos_reduce_max_signed,
  mylos_reduce_and,
  mylos_reduce_or,
  mylos_reduce_xor,
};

// Why an operation cannot be done at all.
enum mylos_misuse : int { mylos_not_in_mask, mylos_bad_width };

// Where in a text something is called. Line 0: nowhere.
struct mylos_where {
  const char* file;
  unsigned line;
  unsigned column;
  const void* call;  // equal ones are the same place, others need not be different ones; null: not known
};

// Where a thread waits for others.
struct mylos_stop {
  mylos_where where;
  unsigned mask;
  int operation;
};

// The operation to which lanes of one warp come in their order, each checked when it comes. Whenever the scheduler runs,
// those that wait in it become stops (mylos_worker::in_operation).
struct mylos_meeting {
  mylos_stop stop;   // of all of them
  unsigned lanes;    // that it is for: in the mask, and not left
  unsigned waiting;  // that have come; none: there is no such operation
  int first_thread;  // of the warp
};

// One launch, the same for all its workers.
struct mylos_launch {
  int grid[3];
  int block[3];
  void* const* arguments;  // one address for each of the kernel's parameters
  unsigned workers;        // so many blocks run at the same time
};

// A thread: where it goes on, or begins, and its indices, beside each other because the stacks themselves have left the
// cache. With the portable switch `stack` is Boost.Context's context, and `code` null, from the thread's beginning on.
struct alignas(32) mylos_fiber {
  void* stack;
  void* frame;
  const void* code;
  unsigned short index[4];  // of the thread in its block: x, y, z, and nothing
};

// One OS thread's state while it runs a block. A CUDA thread that waits keeps its stack; the thread loop starts the next
// one on the same stack as long as none waits. Bits of a mask are the lanes of a warp, 32 consecutive threads.
struct mylos_worker {
  const mylos_launch* launch;
  int block[3];
  int threads;            // of a block
  long starts[3];         // the places in the grid of the block's first thread
  mylos_fiber* running;   // of the thread that runs, or that ran last when the scheduler does
  int next_thread;        // the first that has not started
  int reason;
  mylos_fiber* unbroken;  // none of the threads before it has left the kernel
  // Of the thread that comes to the barrier next: those before it are there, those behind it can go on or start, but for
  // lanes of its own warp that wait in the meeting. The scheduler's: all are there, or have left. Null: the scheduler
  // alone knows. Not beside `running`: compilers would write both at once, which the next thread would wait for.
  mylos_fiber* front;
  mylos_where barrier;    // at which the first of them are
  mylos_meeting meeting;  // of lanes of the running thread's warp
  int count;              // of true conditions that they bring
  int result;             // that of the last barrier
  int idle_atomics;       // that changed nothing, since a thread began or gave others a turn
  int turn_due;           // of a checked kernel: others may have waited for what the thread has published
  unsigned long changes;  // of a checked kernel: of what threads may see, how many so far; may count too many
  unsigned live[mylos_max_warps];          // that have not left the kernel; also those that have not started
  unsigned in_operation[mylos_max_warps];  // that wait for other lanes
  unsigned held[mylos_max_warps];          // that only the scheduler lets go on
  mylos_stop stops[mylos_max_threads];     // valid for threads in an operation, and for those held at a barrier
  unsigned long long values[mylos_max_threads];  // that lanes bring to an operation, then what it gives them
  unsigned char sources[mylos_max_threads];      // the lanes whose values they ask for
  mylos_fiber fibers[mylos_max_threads + 2];  // of the threads, and of the scheduler
};

// A thread's linear number in its block.
static inline __attribute__((always_inline)) int mylos_number(const mylos_worker* worker, const mylos_fiber* fiber) {
  return static_cast<int>(fiber - worker->fibers);
}
static inline __attribute__((always_inline)) int mylos_running_number(const mylos_worker* worker) {
  return mylos_number(worker, worker->running);
}
static inline __attribute__((always_inline)) mylos_fiber* mylos_scheduler(mylos_worker* worker) {
  return worker->fibers + mylos_scheduler_slot;
}

// A thread: index in its block, and its block's index in the grid.
struct mylos_place {
  int thread[3];
  int block[3];
};

// How a checked kernel accesses memory: a sum of these, or none for a read.
enum : int {
  mylos_writes = 1,
  mylos_atomic_access = 2,
  mylos_volatile_access = 4,
  mylos_parts = 8,       // a structure or a range: what of it matters, and how it is aligned, is not known
  mylos_reads_too = 16,  // an atomic access whose result depends on what was there
  mylos_compares = 32,   // the same, and right whatever a plain read before it gave: compare-and-swap, minimum, ...
  mylos_updates = mylos_writes | mylos_reads_too,
  mylos_guarded = mylos_updates | mylos_compares,
};

// What a checked kernel tells the library: see mylos_instrumentation.hpp. `code` is where the kernel goes on.
struct mylos_checks {
  void (*read[5])(const void* address, const void* code);   // of 1, 2, 4, 8, 16 bytes
  void (*write[5])(const void* address, const void* code);
  void (*access)(const void* address, unsigned long bytes, int kind, const void* code);
  void (*synchronise)(const void* address, int kind);  // an atomic access that is made
  void (*fence)(int of_device);
  int (*gives_turn)();  // whether other threads run before an atomic access
  void* (*allocate)(unsigned long bytes);
  void (*release)(void* memory, const void* code);
  // What -fsanitize=bounds,alignment found; `about` is the compiler's description. They do not return.
  void (*bad_subscript)(const void* about, unsigned long index, const void* code);
  void (*misaligned)(const void* about, unsigned long address, const void* code);
};

// What a kernel asks the library to do. `fail`, `bad_index`, `misuse` and `threw` do not return. An axis of -1: elements
// by their number. `come_to_barrier`: where the running thread is, see mylos_where; returns the thread that goes on, as
// told in mylos_worker::running, or the scheduler. `next_live`: the next thread behind one that has not left, or the
// scheduler. `complete`: everybody is at the meeting. `meet_blocks`: comes back when all blocks have called it.
struct mylos_services {
  void (*fail)(int failure, const char* text, const char* file, int line, mylos_place place) noexcept;
  void (*bad_index)(const void* data, long long index, int axis, long long extent, mylos_place place) noexcept;
  void (*switch_fiber)(mylos_fiber* from, mylos_fiber* to) noexcept;
  mylos_fiber* (*come_to_barrier)(const char* file, unsigned line, unsigned column, const void* call) noexcept;
  mylos_fiber* (*next_live)(const mylos_fiber* fiber) noexcept;
  void (*complete)() noexcept;
  void (*meet_blocks)(const char* file, int line) noexcept;
  void (*misuse)(int misuse, int value) noexcept;
  void (*threw)() noexcept;
  const mylos_checks* checks;  // for checked kernels
  long worker;                 // how far from the thread pointer the OS thread's mylos_worker* is
};

// What the library and a loaded kernel tell each other at the beginning.
struct mylos_module {
  const mylos_services* services;  // the library's
  int* concurrent;                 // whether atomics must be indivisible
  const mylos_parameter* parameters;
  unsigned parameter_count;
  const mylos_field* fields;  // of the parameters' classes
  unsigned field_count;
  const char* field_names;    // each with a blank behind it
};

// NOLINTEND(readability-identifier-naming)
