// SPDX-License-Identifier: MIT
// Barriers: a thread that waits hands over to the next one inside the barrier itself. As long as threads come to
// barriers in the order of their numbers, each knows where to go. The last one, and those behind which one has left, ask
// the library; whatever does not fit goes to the scheduler.
#pragma once

#ifdef MYLOS_IN_PLACE_SWITCH
using mylos_in_place::mylos_switch;
#else
MYLOS_INLINE void mylos_switch(mylos_fiber* from, mylos_fiber* to) { mylos_library->switch_fiber(from, to); }
#endif

// As a default argument: where the function is called, by line and column.
#if defined(__clang__) && !__has_builtin(__builtin_source_location)
MYLOS_INLINE constexpr mylos_where mylos_called_at(const char* file = __builtin_FILE(),
                                                   unsigned line = __builtin_LINE(),
                                                   unsigned column = __builtin_COLUMN()) {
  return {file, line, column, nullptr};
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
  return {at->_M_file_name, at->_M_line, at->_M_column, place};
}
#endif

// Until somebody comes back to this one.
MYLOS_UNCHECKED MYLOS_INLINE void mylos_hand_over(mylos_worker* worker, mylos_fiber* from, mylos_fiber* to) {
  worker->running = to;
  mylos_switch(from, to);
}
MYLOS_UNCHECKED MYLOS_INLINE void mylos_ask_scheduler(mylos_worker* worker, mylos_reason reason) {
  worker->reason = reason;
  mylos_switch(worker->running, mylos_scheduler(worker));
}

// Whether two are the same place; what this finds different may still be, where the compiler does not tell of calls.
MYLOS_UNCHECKED MYLOS_INLINE bool mylos_is_surely_same(const mylos_where& a, const mylos_where& here) {
  if (here.call != nullptr) return a.call == here.call;
  return a.line == here.line && a.column == here.column && a.file == here.file;
}
// Whether a thread is the one that comes next, and those behind it can go on.
MYLOS_UNCHECKED MYLOS_INLINE bool mylos_is_front(const mylos_worker* worker, const mylos_fiber* fiber) {
  return worker->front == fiber && worker->meeting.waiting == 0;
}
// One function for all barriers. The first thread in order says which it is; otherwise the library says who goes on.
MYLOS_UNCHECKED __attribute__((noinline, noclone)) static void mylos_wait_otherwise(mylos_worker* worker,
                                                                                    const char* file, unsigned line,
                                                                                    unsigned column,
                                                                                    const void* call) {
  mylos_fiber* const fiber = worker->running;
  if (mylos_is_front(worker, fiber) && worker->barrier.line == 0 && fiber + 1 < worker->unbroken) {
    worker->barrier = {file, line, column, call};
    worker->front = fiber + 1;
    return mylos_hand_over(worker, fiber, fiber + 1);
  }
  mylos_switch(fiber, mylos_library->come_to_barrier(file, line, column, call));
}
// Nearly always a thread comes in order, to where those before it are, and the next one has not left. While it runs, no
// lane behind it waits in the meeting: those hand over to lanes behind them only.
MYLOS_OWN_ACCESSES void mylos_wait(mylos_where where) {
  mylos_worker* const worker = mylos_worker_at(mylos_ring);
  mylos_fiber* const fiber = worker->running;
  const bool is_usual =
      worker->front == fiber && fiber + 1 < worker->unbroken && mylos_is_surely_same(worker->barrier, where);
  if (__builtin_expect(!is_usual, 0)) {
    return mylos_wait_otherwise(worker, where.file, where.line, where.column, where.call);
  }
  worker->front = fiber + 1;
  mylos_hand_over(worker, fiber, fiber + 1);
}

// How many threads of the block bring a true condition to this barrier.
MYLOS_OWN_ACCESSES int mylos_count(bool condition, mylos_where where) {
  mylos_worker_at(mylos_ring)->count += condition ? 1 : 0;
  mylos_wait(where);
  return mylos_worker_at(mylos_ring)->result;
}

MYLOS_INLINE void __syncthreads(mylos_where where = mylos_called_at()) { mylos_wait(where); }
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

// Behind a thread's end: whether the next one is to be started on the same stack. One is started when no thread waits
// for this one's end; in order, one that has waited goes on otherwise, and nobody comes back here.
MYLOS_OWN_ACCESSES bool mylos_leave(mylos_worker* worker) {
  mylos_fiber* const fiber = worker->running;
  const auto thread = static_cast<unsigned>(mylos_number(worker, fiber));
  if (fiber < worker->unbroken) worker->unbroken = fiber;
  const unsigned lane = thread % mylos_lanes;
  unsigned& live = worker->live[thread / mylos_lanes];
  live &= ~(1u << lane);
  if (!mylos_is_front(worker, fiber)) return false;
  const bool is_next_lane_live = (live >> lane >> 1 & 1u) != 0;
  mylos_fiber* const next = is_next_lane_live ? fiber + 1 : mylos_library->next_live(fiber);
  worker->front = next;
  if (mylos_number(worker, next) == worker->next_thread) return true;
  if (next != mylos_scheduler(worker)) mylos_hand_over(worker, fiber, next);
  return false;
}
