// SPDX-License-Identifier: MIT
// Barriers: a thread that waits hands over to the next one inside the barrier itself. As long as threads come to
// barriers in the order of their numbers, each knows where to go. The last one, and those behind which one has left, ask
// the library; whatever does not fit goes to the scheduler.
#pragma once

// How far from the thread pointer the library keeps the OS thread's worker; set when the kernel is loaded. A
// thread-local variable of the kernel's own would take a call to find, at each barrier. The same number more than once,
// because the loader reads from the object file which of them a kernel refers to: mylos_ring means that threads meet,
// mylos_turns that threads may wait for each other through atomics, mylos_seat nothing: what runs the threads reads it.
extern "C" {
MYLOS_HIDDEN long mylos_ring = 0;
MYLOS_HIDDEN long mylos_turns = 0;
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

#ifdef MYLOS_IN_PLACE_SWITCH
using mylos_in_place::mylos_switch;
#else
MYLOS_INLINE void mylos_switch(mylos_worker* worker, long from, long to) {
  mylos_library->switch_fiber(worker, static_cast<int>(from), static_cast<int>(to));
}
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

// The built-in indices of the thread that runs, which has started.
MYLOS_INLINE void mylos_put_indices(mylos_triple<mylos_thread_id>& indices, const mylos_worker* worker, int thread) {
  if (__builtin_expect(worker->is_row != 0, 1)) {
    mylos_set_thread(indices.x, thread, worker->starts[0]);
    return;
  }
  const int (&index)[3] = worker->indices[thread];
  mylos_set_thread(indices.x, index[0], worker->starts[0]);
  mylos_set_thread(indices.y, index[1], worker->starts[1]);
  mylos_set_thread(indices.z, index[2], worker->starts[2]);
}

#ifdef MYLOS_INDICES_BY_ADDRESS
__attribute__((noinline)) static void mylos_put_own_indices(mylos_worker* worker) {
  mylos_put_indices(mylos_here.mylos_thread, worker, worker->thread);
  __asm__ volatile("" : : : "memory");
  __asm__ volatile("" : : "r"(static_cast<unsigned>(mylos_here.mylos_thread.x)));  // what nobody reads does not exist
}
MYLOS_INLINE void mylos_indices_are_here(mylos_worker* worker) {
  worker->running_indices = mylos_address_of_here();
  worker->put_indices = mylos_put_own_indices;
}
// Who goes on is told before the change of stacks: the next thread then finds all that it needs where it was just
// written, need not wait for its own stack, which has left the cache meanwhile, and need not ask where mylos_here is.
// What this thread reads of its indices it reads before.
MYLOS_INLINE void mylos_goes_on(mylos_worker* worker, int thread) {
  worker->thread = thread;
  __asm__ volatile("" : : : "memory");
  mylos_put_indices(*static_cast<mylos_triple<mylos_thread_id>*>(worker->running_indices), worker, thread);
}
MYLOS_INLINE void mylos_went_on(mylos_worker*) {}
#else
MYLOS_INLINE void mylos_indices_are_here(mylos_worker*) {}
MYLOS_INLINE void mylos_goes_on(mylos_worker* worker, int thread) { worker->thread = thread; }
MYLOS_INLINE void mylos_went_on(mylos_worker* worker) {
  mylos_put_indices(mylos_here.mylos_thread, worker, worker->thread);
}
#endif

// Until somebody comes back to this one; who goes on has been told.
MYLOS_INLINE mylos_worker* mylos_stand_aside(mylos_worker* worker, long from, long to) {
  mylos_switch(worker, from, to);
  worker = mylos_worker_at(mylos_ring);
  mylos_went_on(worker);
  return worker;
}
MYLOS_INLINE mylos_worker* mylos_hand_over(mylos_worker* worker, long from, long to) {
  mylos_goes_on(worker, static_cast<int>(to));
  return mylos_stand_aside(worker, from, to);
}
MYLOS_INLINE void mylos_ask_scheduler(mylos_worker* worker, mylos_reason reason) {
  worker->reason = reason;
  mylos_switch(worker, worker->thread, mylos_scheduler_slot);
  mylos_went_on(worker);
}

// Whether two are the same place; what this finds different may still be, where the compiler does not tell of calls.
MYLOS_INLINE bool mylos_is_surely_same(const mylos_where& a, const mylos_where& here) {
  if (here.call != nullptr) return a.call == here.call;
  return a.line == here.line && a.column == here.column && a.file == here.file;
}
// Whether a thread is the one that comes next, and those behind it can go on.
MYLOS_INLINE bool mylos_is_front(const mylos_worker* worker, int thread) {
  return worker->front == thread && worker->meeting.waiting == 0;
}
// One function for all barriers. The first thread in order says which it is; otherwise the library says who goes on, and
// has told where that one finds its indices.
__attribute__((noinline, noclone)) static mylos_worker* mylos_wait_otherwise(mylos_worker* worker, const char* file,
                                                                             unsigned line, unsigned column,
                                                                             const void* call) {
  const long thread = worker->thread;
  const bool is_front = mylos_is_front(worker, static_cast<int>(thread));
  if (is_front && worker->barrier.line == 0 && thread + 1 < worker->unbroken) {
    worker->barrier = {file, line, column, call};
    worker->front = static_cast<int>(thread + 1);
    return mylos_hand_over(worker, thread, thread + 1);
  }
  return mylos_stand_aside(worker, thread, mylos_library->come_to_barrier(file, line, column, call));
}
// Nearly always a thread comes in order, to where those before it are, and the next one has not left. While it runs, no
// lane behind it waits in the meeting: those hand over to lanes behind them only.
MYLOS_INLINE mylos_worker* mylos_wait(mylos_where where) {
  mylos_worker* const worker = mylos_worker_at(mylos_ring);
  const long thread = worker->thread;  // as addresses need it
  const bool is_usual = worker->front == thread && thread + 1 < worker->unbroken &&
                        mylos_is_surely_same(worker->barrier, where);
  if (__builtin_expect(!is_usual, 0)) {
    return mylos_wait_otherwise(worker, where.file, where.line, where.column, where.call);
  }
  worker->front = static_cast<int>(thread + 1);
  return mylos_hand_over(worker, thread, thread + 1);
}

// How many threads of the block bring a true condition to this barrier.
MYLOS_INLINE int mylos_count(bool condition, mylos_where where) {
  mylos_worker_at(mylos_ring)->count += condition ? 1 : 0;
  return mylos_wait(where)->result;
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
MYLOS_INLINE bool mylos_leave(mylos_worker* worker) {
  const int thread = worker->thread;
  if (thread < worker->unbroken) worker->unbroken = thread;
  const unsigned lane = static_cast<unsigned>(thread) % mylos_lanes;
  worker->live[static_cast<unsigned>(thread) / mylos_lanes] &= ~(1u << lane);
  if (!mylos_is_front(worker, thread)) return false;
  const bool is_next_lane_live = (worker->live[static_cast<unsigned>(thread) / mylos_lanes] >> lane >> 1 & 1u) != 0;
  const int next = is_next_lane_live ? thread + 1 : mylos_library->next_live(thread);
  worker->front = next;
  if (next == worker->next_thread) {  // of which the stack stays the prepared one
    worker->fibers[next + 1] = worker->fibers[next];
    return true;
  }
  if (next != mylos_scheduler_slot) {
    mylos_goes_on(worker, next);
    mylos_switch(worker, thread, next);
  }
  return false;
}
