// SPDX-License-Identifier: MIT
#include "emulator/schedule.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "emulator/arena.hpp"
#include "emulator/happens_before.hpp"
#include "emulator/warp_operations.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using Clock = std::chrono::steady_clock;

// For an OS thread that is about to use the device for the first time.
constexpr Clock::duration patience_with_repetition = std::chrono::milliseconds(100);

int warp_of(int thread) { return thread / mylos_lanes; }
unsigned bit_of(int thread) { return 1U << static_cast<unsigned>(thread) % mylos_lanes; }
int thread_in(int warp, unsigned lanes) { return warp * mylos_lanes + std::countr_zero(lanes); }

// The lanes of a warp with numbers below `threads`.
unsigned lanes_below(int threads, int warp) {
  const int count = std::clamp(threads - warp * mylos_lanes, 0, int{mylos_lanes});
  return count == mylos_lanes ? ~0U : (1U << static_cast<unsigned>(count)) - 1U;
}

WarpStops stops_of(const mylos_worker& worker, int warp) {
  return WarpStops(worker.stops + std::ptrdiff_t{warp} * mylos_lanes, mylos_lanes);
}

}  // namespace

void Schedule::begin(const WaitingRules& rules) {
  rules_ = rules;
  worker_.next_thread = 0;
  worker_.front = rules_.threads.is_increasing() ? worker_.fibers : nullptr;
  worker_.unbroken = worker_.fibers + worker_.threads;
  worker_.barrier = {};
  worker_.meeting = {};
  worker_.count = 0;
  for (int warp = 0; warp < warps(); ++warp) worker_.live[warp] = lanes_of(warp);
  std::fill_n(worker_.in_operation, warps(), 0U);
  std::fill_n(worker_.held, warps(), 0U);
  at_barrier_ = {};
  spinning_ = {};
  barriers_differ_ = false;
  getting_on_ = true;
  last_turn_ = nobody;
  started_ = {};
  stuck_since_ = Clock::time_point::max();
  repetition_.begin();
  problem_.reset();
}

unsigned Schedule::lanes_of(int warp) const noexcept { return lanes_below(worker_.threads, warp); }
unsigned Schedule::started_of(int warp) const noexcept { return lanes_below(worker_.next_thread, warp); }

bool Schedule::any(const unsigned* masks) const noexcept { return first_of(masks) != nobody; }

int Schedule::first_of(const unsigned* masks) const noexcept {
  for (int warp = 0; warp < warps(); ++warp) {
    if (masks[warp] != 0) return thread_in(warp, masks[warp]);
  }
  return nobody;
}

// Whether those before it are where it comes to, and those behind it can go on.
bool Schedule::comes_in_order(const mylos_where& where) noexcept {
  if (worker_.front != worker_.running || worker_.meeting.waiting != 0) return false;
  if (worker_.barrier.line == 0) worker_.barrier = where;
  return is_same_place(worker_.barrier, where);
}

int Schedule::come_to_barrier(const mylos_where& where) {
  const int thread = mylos_running_number(&worker_);
  if (!comes_in_order(where)) {
    worker_.stops[thread] = {where, 0, mylos_barrier};
    worker_.reason = mylos_at_barrier;
    return mylos_scheduler_slot;
  }
  const int next = next_live(thread);
  set_front(next);
  return next == mylos_scheduler_slot ? meet() : next;
}

int Schedule::next_live(int thread) const noexcept {
  unsigned behind = ~(bit_of(thread) | (bit_of(thread) - 1U));  // in its warp
  for (int warp = warp_of(thread); warp < warps(); ++warp, behind = ~0U) {
    if ((worker_.live[warp] & behind) != 0) return thread_in(warp, worker_.live[warp] & behind);
  }
  return mylos_scheduler_slot;
}

void Schedule::note_return() {
  const int thread = mylos_running_number(&worker_);
  dissolve_meeting();
  getting_on_ = getting_on_ || (worker_.reason != mylos_spinning && worker_.reason != mylos_gave_turn);
  if (chooses_who_starts()) hold_others_again(thread);
  if (is_in_order() && front() == mylos_scheduler_slot) return;  // the last one in order has left
  leave_order();
  if (worker_.reason == mylos_at_barrier) arrive(thread);
  if (worker_.reason == mylos_spinning || worker_.reason == mylos_published) hold(spinning_, thread);
  if (worker_.reason == mylos_at_operation) complete_those_named(thread);
}

// From now on its lanes wait one by one.
void Schedule::dissolve_meeting() {
  const mylos_meeting& meeting = worker_.meeting;
  for (unsigned rest = meeting.waiting; rest != 0; rest &= rest - 1) {
    worker_.stops[meeting.first_thread + std::countr_zero(rest)] = meeting.stop;
  }
  worker_.in_operation[warp_of(meeting.first_thread)] |= meeting.waiting;
  worker_.meeting.waiting = 0;
}

// In order, the threads before the front are at the barrier, and have not said so one by one.
void Schedule::leave_order() {
  if (!is_in_order()) return;
  for (int warp = 0; warp < warps(); ++warp) {
    at_barrier_[static_cast<std::size_t>(warp)] = lanes_below(front(), warp) & worker_.live[warp];
    worker_.held[warp] = at_barrier_[static_cast<std::size_t>(warp)];
  }
  const int before = std::min(front(), worker_.threads);
  std::fill_n(worker_.stops, before, mylos_stop{worker_.barrier, 0, mylos_barrier});
  worker_.front = nullptr;
}

void Schedule::arrive(int thread) {
  const mylos_where& here = worker_.stops[thread].where;
  if (worker_.barrier.line == 0) {
    worker_.barrier = here;
  } else if (!is_same_place(worker_.barrier, here)) {
    barriers_differ_ = true;
  }
  hold(at_barrier_, thread);
}

void Schedule::hold(Masks& reason, int thread) {
  reason[static_cast<std::size_t>(warp_of(thread))] |= bit_of(thread);
  worker_.held[warp_of(thread)] |= bit_of(thread);
}

// Those that were not held for the sake of the order alone.
void Schedule::hold_others_again(int thread) {
  const auto warp = static_cast<std::size_t>(warp_of(thread));
  worker_.held[warp] = at_barrier_[warp] | spinning_[warp];
}

int Schedule::next_by_choice() {
  while (!problem_) {
    Masks ready{};
    for (int warp = 0; warp < warps(); ++warp) {
      ready[static_cast<std::size_t>(warp)] = worker_.live[warp] & ~(worker_.in_operation[warp] | worker_.held[warp]);
    }
    if (any(ready.data())) return let_go(rules_.threads.pick(ready.data(), warps()));
    if (complete_operations() || complete_active_masks()) continue;
    if (!any(spinning_.data())) {
      if (meet_or_explain() == nobody) return nobody;
    } else if (const int thread = spinning_thread(); thread != nobody) {
      return let_go(thread);
    }
  }
  return nobody;
}

int Schedule::let_go(int thread) {
  unsigned& started = started_[static_cast<std::size_t>(warp_of(thread))];
  const bool is_starting = (started & bit_of(thread)) == 0;
  started |= bit_of(thread);
  worker_.next_thread = is_starting ? thread : worker_.threads;  // where it begins; all others have begun
  worker_.held[warp_of(thread)] = ~bit_of(thread);
  return thread;
}

int Schedule::next() {
  if (chooses_who_starts()) return next_by_choice();
  if (is_in_order()) {
    if (front() != mylos_scheduler_slot) return front();
    return any(worker_.live) ? meet() : nobody;
  }
  while (!problem_) {
    if (const int thread = restore_order(); thread != nobody) return thread;
    if (const int thread = ready_thread(); thread != nobody) return thread;
    if (complete_operations()) continue;
    if (worker_.next_thread < worker_.threads) return worker_.next_thread;
    if (complete_active_masks()) continue;
    if (any(spinning_.data())) return spinning_thread();
    return meet_or_explain();
  }
  return nobody;
}

// When those at the barrier are the first ones of the block, and the others can all go on.
int Schedule::restore_order() {
  if (barriers_differ_ || any(worker_.in_operation) || any(spinning_.data())) return nobody;
  int front = nobody;
  for (int warp = 0; warp < warps(); ++warp) {
    const unsigned there = at_barrier_[static_cast<std::size_t>(warp)];
    const unsigned others = worker_.live[warp] & ~there;
    if (front != nobody && there != 0) return nobody;
    if (others == 0) continue;
    if (front == nobody) front = thread_in(warp, others);
    if ((there & ~lanes_below(front, warp)) != 0) return nobody;
  }
  if (front == nobody) return nobody;
  at_barrier_ = {};
  std::fill_n(worker_.held, warps(), 0U);
  set_front(front);
  return front;
}

int Schedule::ready_thread() const {
  for (int warp = 0; warp < warps(); ++warp) {
    const unsigned stopped = worker_.in_operation[warp] | worker_.held[warp];
    const unsigned ready = worker_.live[warp] & started_of(warp) & ~stopped;
    if (ready != 0) return thread_in(warp, ready);
  }
  return nobody;
}

// The operation that a thread waits in, if all lanes that its mask names wait in it, or have left.
bool Schedule::complete_those_named(int thread) {
  const mylos_stop& stop = worker_.stops[thread];
  const int warp = warp_of(thread);
  const unsigned lanes = stop.mask & worker_.live[warp];
  if (stop.operation == mylos_active_mask || (worker_.in_operation[warp] & lanes) != lanes) return false;
  if (!wait_for_each_other(stops_of(worker_, warp), lanes)) return false;
  return complete(stop.operation, warp, lanes);
}

// Those that were waiting for a lane which has left.
bool Schedule::complete_operations() {
  bool any_done = false;
  for (int warp = 0; warp < warps(); ++warp) {
    for (unsigned open = worker_.in_operation[warp]; open != 0; open &= open - 1) {
      if (problem_) return false;
      any_done = complete_those_named(thread_in(warp, open)) || any_done;
    }
  }
  return any_done;
}

// No other lane can come any more.
bool Schedule::complete_active_masks() {
  bool any_done = false;
  for (int warp = 0; warp < warps(); ++warp) {
    for (unsigned open = worker_.in_operation[warp]; open != 0;) {
      const mylos_stop& first = worker_.stops[thread_in(warp, open)];
      unsigned lanes = 0;
      for (unsigned rest = open; rest != 0; rest &= rest - 1) {
        const mylos_stop& stop = worker_.stops[thread_in(warp, rest)];
        if (stop.operation == first.operation && is_same_place(stop.where, first.where)) lanes |= rest & (~rest + 1);
      }
      open &= ~lanes;
      if (first.operation != mylos_active_mask) continue;
      complete(mylos_active_mask, warp, lanes);
      any_done = true;
    }
  }
  return any_done;
}

// Threads that spin take turns. What they wait for may be the work of another block, on another OS thread.
int Schedule::spinning_thread() {
  const int after = last_turn_ + 1;
  int thread = nobody;
  for (int warp = warp_of(after); warp < warps() && thread == nobody; ++warp) {
    const unsigned spinning = spinning_[static_cast<std::size_t>(warp)] & ~lanes_below(after, warp);
    if (spinning != 0) thread = thread_in(warp, spinning);
  }
  if (thread == nobody) {
    let_others_work();
    if (problem_) return nobody;
    thread = first_of(spinning_.data());
  }
  last_turn_ = thread;
  spinning_[static_cast<std::size_t>(warp_of(thread))] &= ~bit_of(thread);
  worker_.held[warp_of(thread)] &= ~bit_of(thread);
  return thread;
}

void Schedule::let_others_work() {
  if (std::exchange(getting_on_, false)) {
    stuck_since_ = Clock::time_point::max();
    repetition_.begin();
    return;
  }
  ::sched_yield();
  const auto now = Clock::now();
  stuck_since_ = std::min(stuck_since_, now);
  const bool forever = repeats_forever();
  if (now - stuck_since_ < (forever ? patience_with_repetition : Clock::duration(rules_.patience))) return;
  const auto waited = forever ? std::nullopt : std::optional(rules_.patience);
  problem_ = explain_spinning(worker_, first_of(spinning_.data()), waited, rules_.happens_before != nullptr);
}

// Of a checked launch, no other block runs now. Whoever else uses the device may still write what they wait for.
bool Schedule::repeats_forever() {
  if (rules_.stacks == nullptr || Arena::has_several_users()) return false;
  return repetition_.is_certain(state_of(worker_, spinning_.data(), warps(), *rules_.stacks));
}

// Nobody can go on: they have all left, are all at a barrier, or wait for each other forever.
int Schedule::meet_or_explain() {
  if (!any(worker_.live)) return nobody;
  if (any(worker_.in_operation)) {
    problem_ = explain_operations(worker_);
  } else if (barriers_differ_) {
    problem_ = explain_barriers(worker_);
  } else {
    return meet();
  }
  return nobody;
}

// Every thread that is left waits at the barrier, everywhere the same one. They may go on: returns the first of them;
// nobody when there is a problem.
int Schedule::meet() {
  bool all = true;
  for (int warp = 0; warp < warps(); ++warp) all = all && worker_.live[warp] == lanes_of(warp);
  if (!all && !rules_.left_counts_as_arrived) {
    leave_order();
    problem_ = explain_left(worker_);
    return nobody;
  }
  if (!is_in_order()) {
    at_barrier_ = {};
    std::fill_n(worker_.held, warps(), 0U);
  }
  worker_.result = std::exchange(worker_.count, 0);
  worker_.barrier = {};
  if (rules_.happens_before != nullptr) rules_.happens_before->barrier();
  const int first = first_of(worker_.live);
  if (!chooses_who_starts()) set_front(first);
  return first;
}

void Schedule::complete_meeting() {
  const mylos_meeting meeting = worker_.meeting;
  if (complete(meeting.stop.operation, warp_of(meeting.first_thread), meeting.lanes)) worker_.meeting.waiting = 0;
}

// These lanes of a warp all wait in the operation: whether they may go on.
bool Schedule::complete(int operation, int warp, unsigned lanes) {
  const int first = warp * mylos_lanes;
  const WarpSources sources(worker_.sources + first, mylos_lanes);
  if (is_shuffle(operation)) {
    if (const int reader = first_bad_reader(sources, lanes); reader >= 0) {
      dissolve_meeting();
      problem_ = explain_read(worker_, first + reader);
      return false;
    }
  }
  if (operation == mylos_sync_warp && rules_.happens_before != nullptr)
    rules_.happens_before->warp_barrier(warp, lanes);
  carry_out(operation, WarpValues(worker_.values + first, mylos_lanes), sources, lanes);
  worker_.in_operation[warp] &= ~lanes;
  return true;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
