// SPDX-License-Identifier: MIT
// Barriers: a thread that waits hands over to the next one inside the barrier itself.
#pragma once

// The same pointer twice, because the loader reads from the object file which of them a kernel refers to: mylos_ring
// means barriers, mylos_turns means that threads may wait for each other through atomics. Both are local to the object,
// like the shared arrays, so that a function finds out where its thread's variables are only once.
static __thread mylos_worker* mylos_ring;
static __thread mylos_worker* mylos_turns;

#ifdef MYLOS_IN_PLACE_SWITCH
using mylos_in_place::mylos_switch;
#else
MYLOS_INLINE void mylos_switch(mylos_worker* worker, int from, int to) {
  mylos_library->switch_fiber(worker, from, to);
}
#endif

// Everything that belongs to the thread is put back by the thread itself when it goes on.
MYLOS_INLINE void mylos_hand_over(mylos_worker* worker, int to) {
  const mylos_triple<mylos_thread_id> thread = mylos_here.mylos_thread;
  const int number = worker->thread;
  const int fiber = worker->fiber;
  mylos_switch(worker, fiber, to);
  worker->fiber = fiber;
  worker->thread = number;
  mylos_here.mylos_thread = thread;
}

MYLOS_INLINE void mylos_wait_at_barrier() {
  mylos_worker* const worker = mylos_ring;
  worker->reason = mylos_at_barrier;
  mylos_hand_over(worker, worker->next[worker->fiber]);
}

// How many threads of the block bring a true condition to this barrier. Three sums take turns: while one is read, the
// next is added to, and the third, which everybody has read, is cleared.
MYLOS_INLINE int mylos_reduce(bool condition) {
  mylos_worker* const worker = mylos_ring;
  const unsigned slot = worker->reductions[worker->fiber]++ % mylos_reduction_slots;
  worker->reduction[slot] += condition ? 1 : 0;
  mylos_wait_at_barrier();
  worker->reduction[(slot + 2) % mylos_reduction_slots] = 0;
  return worker->reduction[slot];
}

MYLOS_INLINE void __syncthreads() { mylos_wait_at_barrier(); }
MYLOS_INLINE int __syncthreads_count(int condition) { return mylos_reduce(condition != 0); }
MYLOS_INLINE int __syncthreads_and(int condition) { return mylos_reduce(condition == 0) == 0 ? 1 : 0; }
MYLOS_INLINE int __syncthreads_or(int condition) { return mylos_reduce(condition != 0) != 0 ? 1 : 0; }

MYLOS_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
MYLOS_INLINE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
MYLOS_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
