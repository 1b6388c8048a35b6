// SPDX-License-Identifier: MIT
// Barriers: a thread that waits hands over to the next one inside the barrier itself. As long as threads come to barriers
// in the order of their numbers, each knows where to go: the first to arrive says which barrier it is, the last one asks
// the library whether all may go on. Whatever does not fit goes to the scheduler.
#pragma once

// The same pointer twice, because the loader reads from the object file which of them a kernel refers to: mylos_ring
// means that threads meet, mylos_turns that threads may wait for each other through atomics. Both are local to the
// object, like the shared arrays, so that a function finds out where its thread's variables are only once.
static __thread mylos_worker* mylos_ring;
static __thread mylos_worker* mylos_turns;

#ifdef MYLOS_IN_PLACE_SWITCH
using mylos_in_place::mylos_switch;
#else
MYLOS_INLINE void mylos_switch(mylos_worker* worker, int from, int to) {
  mylos_library->switch_fiber(worker, from, to);
}
#endif

// As a default argument: where the function is called, by line and column.
#if defined(__clang__) && !__has_builtin(__builtin_source_location)
MYLOS_INLINE constexpr mylos_where mylos_called_at(const char* file = __builtin_FILE(),
                                                   unsigned line = __builtin_LINE(),
                                                   unsigned column = __builtin_COLUMN()) {
  return {file, line, column};
}
#else
namespace std {
struct source_location {
  struct __impl {  // what the builtin points to
    const char* _M_file_name;
    const char* _M_function_name;
    unsigned _M_line, _M_column;
  };
};
}  // namespace std
MYLOS_INLINE constexpr mylos_where mylos_called_at(const void* place = __builtin_source_location()) {
  const auto* const at = static_cast<const std::source_location::__impl*>(place);
  return {at->_M_file_name, at->_M_line, at->_M_column};
}
#endif

// Everything that belongs to the thread is put back by the thread itself when it goes on.
MYLOS_INLINE void mylos_hand_over(mylos_worker* worker, int to) {
  const mylos_triple<mylos_thread_id> thread = mylos_here.mylos_thread;
  const int number = worker->thread;
  mylos_switch(worker, number, to);
  worker->thread = number;
  mylos_here.mylos_thread = thread;
}
MYLOS_INLINE void mylos_ask_scheduler(mylos_worker* worker, mylos_reason reason) {
  worker->reason = reason;
  mylos_hand_over(worker, mylos_scheduler_slot);
}

// The next thread behind this one that has not left the kernel, or the scheduler's slot.
__attribute__((noinline)) static int mylos_next_in_warps_behind(const mylos_worker* worker, int thread) {
  const int warps = (worker->threads + mylos_lanes - 1) / mylos_lanes;
  for (int warp = thread / mylos_lanes + 1; warp < warps; ++warp) {
    if (worker->live[warp] != 0) return warp * mylos_lanes + __builtin_ctz(worker->live[warp]);
  }
  return mylos_scheduler_slot;
}
MYLOS_INLINE int mylos_next_live(const mylos_worker* worker, int thread) {
  const unsigned lane = static_cast<unsigned>(thread) % mylos_lanes;
  const unsigned behind = worker->live[static_cast<unsigned>(thread) / mylos_lanes] >> lane >> 1;
  if (__builtin_expect(behind != 0, 1)) return thread + 1 + __builtin_ctz(behind);
  return mylos_next_in_warps_behind(worker, thread);
}

MYLOS_INLINE bool mylos_is_same(const mylos_where& a, const mylos_where& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}
// Whether a thread is the one that comes next, and those behind it can go on: other warps' lanes wait for each other only
// out of order.
MYLOS_INLINE bool mylos_is_front(const mylos_worker* worker, int thread) {
  return worker->front == thread && worker->in_operation[static_cast<unsigned>(thread) / mylos_lanes] == 0;
}
// Whether this thread may come to the barrier where those before it are.
MYLOS_INLINE bool mylos_is_in_order(mylos_worker* worker, const mylos_where& where) {
  if (!mylos_is_front(worker, worker->thread)) return false;
  if (mylos_is_same(worker->barrier, where)) return true;
  if (worker->barrier.line != 0) return false;
  worker->barrier = where;
  return true;
}
__attribute__((noinline, cold)) static void mylos_wait_out_of_order(mylos_worker* worker, mylos_where where) {
  worker->stops[worker->thread] = {where, 0, mylos_barrier, 0, 0};
  mylos_ask_scheduler(worker, mylos_at_barrier);
}
MYLOS_INLINE void mylos_wait(mylos_worker* worker, mylos_where where) {
  if (__builtin_expect(!mylos_is_in_order(worker, where), 0)) return mylos_wait_out_of_order(worker, where);
  int next = mylos_next_live(worker, worker->thread);
  worker->front = next;
  if (next == mylos_scheduler_slot) next = mylos_library->meet();
  mylos_hand_over(worker, next);
}

// How many threads of the block bring a true condition to this barrier.
MYLOS_INLINE int mylos_count(bool condition, mylos_where where) {
  mylos_worker* const worker = mylos_ring;
  worker->count += condition ? 1 : 0;
  mylos_wait(worker, where);
  return worker->result;
}

MYLOS_INLINE void __syncthreads(mylos_where where = mylos_called_at()) { mylos_wait(mylos_ring, where); }
MYLOS_INLINE int __syncthreads_count(int condition, mylos_where where = mylos_called_at()) {
  return mylos_count(condition != 0, where);
}
MYLOS_INLINE int __syncthreads_and(int condition, mylos_where where = mylos_called_at()) {
  return mylos_count(condition == 0, where) == 0 ? 1 : 0;
}
MYLOS_INLINE int __syncthreads_or(int condition, mylos_where where = mylos_called_at()) {
  return mylos_count(condition != 0, where) != 0 ? 1 : 0;
}

MYLOS_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
MYLOS_INLINE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
MYLOS_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// Behind a thread's end: the next one, to be started on the same stack, or the scheduler's slot. One is started when no
// thread waits for this one's end; in order, one that has waited goes on otherwise, and nobody comes back here.
MYLOS_INLINE int mylos_leave(mylos_worker* worker, int thread) {
  worker->live[static_cast<unsigned>(thread) / mylos_lanes] &= ~(1u << static_cast<unsigned>(thread) % mylos_lanes);
  if (!mylos_is_front(worker, thread)) return mylos_scheduler_slot;
  const int next = mylos_next_live(worker, thread);
  worker->front = next;
  if (next == worker->next_thread) {  // of which the stack stays the prepared one
    worker->stack_pointers[next + 1] = worker->stack_pointers[next];
    return next;
  }
  if (next != mylos_scheduler_slot) mylos_switch(worker, thread, next);
  return mylos_scheduler_slot;
}
