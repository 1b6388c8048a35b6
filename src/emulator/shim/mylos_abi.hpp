// SPDX-License-Identifier: MIT
// What a compiled kernel and the scheduler share. Included by the library and by every kernel's text, so: C++17, no
// header, plain data. A change here changes the shim's text, and with it the key of every compiled kernel.
#pragma once

#include "jit/mylos_parameters.hpp"

// A kernel's text sees these names, so all of them begin with mylos_.
// NOLINTBEGIN(readability-identifier-naming)

enum : int {
  mylos_max_threads = 1024,                   // of a block
  mylos_scheduler_slot = mylos_max_threads,   // the scheduler's own place among the fibers' stack pointers
  mylos_reduction_slots = 3,                  // see mylos_reduce in mylos_barrier.hpp
  mylos_atomics_before_turn = 256,            // that changed nothing, before other threads get a turn
};

// Why a fiber went back to the scheduler.
enum mylos_reason : int { mylos_at_barrier, mylos_finished, mylos_spinning, mylos_failed };

// What ends a launch early.
enum mylos_failure : int { mylos_failed_assertion, mylos_trapped, mylos_threw, mylos_crashed };

// One launch, the same for all its workers.
struct mylos_launch {
  int grid[3];
  int block[3];
  void* const* arguments;  // one address for each of the kernel's parameters
};

// One OS thread's state while it runs a block. Fibers of a block are its CUDA threads that have met a barrier; the
// thread loop starts the next CUDA thread on the same fiber as long as none waits.
struct mylos_worker {
  const mylos_launch* launch;
  int block[3];
  int thread;       // linear number in the block of the thread that runs
  int next_thread;  // the first that has not started
  int threads;      // of a block
  int fiber;        // that runs, or that ran last when the scheduler does
  int reason;
  unsigned reductions[mylos_max_threads];  // how many reducing barriers each fiber has passed
  int reduction[mylos_reduction_slots];
  unsigned short next[mylos_max_threads + 1];    // where a fiber goes from a barrier
  void* stack_pointers[mylos_max_threads + 1];   // of the fibers that wait
};

// A thread: index in its block, and its block's index in the grid.
struct mylos_place {
  int thread[3];
  int block[3];
};

// What a kernel asks the library to do. `fail` and `bad_index` do not return. An axis of -1: elements by their number.
struct mylos_services {
  void (*fail)(int failure, const char* text, const char* file, int line, mylos_place place);
  void (*bad_index)(const void* data, long long index, int axis, long long extent, mylos_place place);
  void (*switch_fiber)(mylos_worker* worker, int from, int to);
};

// What the library and a loaded kernel tell each other at the beginning.
struct mylos_module {
  const mylos_services* services;  // the library's
  int* concurrent;                 // whether atomics must be indivisible
  const mylos_parameter* parameters;
  unsigned parameter_count;
};

// NOLINTEND(readability-identifier-naming)
