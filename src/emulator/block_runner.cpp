// SPDX-License-Identifier: MIT
#include "emulator/block_runner.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include <boost/context/detail/fcontext.hpp>
#include <fmt/format.h>

#include "emulator/shim/mylos_switch.hpp"
#include "emulator/signals.hpp"

// Functions that leave a fiber for good look to a sanitizer like functions that never end.
#define MYLOS_LEAVES_FIBER __attribute__((no_sanitize("address", "thread", "undefined")))

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

thread_local BlockRunner* current = nullptr;

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

int rank_of(const int (&extents)[3]) { return extents[2] > 1 ? 3 : (extents[1] > 1 ? 2 : 1); }

}  // namespace

BlockRunner& BlockRunner::of_this_thread() {
  thread_local BlockRunner runner;
  return runner;
}

BlockRunner* BlockRunner::running() noexcept { return current; }

void BlockRunner::work(Job& job) {
  const Job::Worker worker(job);
  job_ = &job;
  worker_.launch = &job.launch();
  worker_.threads = job.launch().block[0] * job.launch().block[1] * job.launch().block[2];
  const bool loop = job.module().facts().execution == Execution::vector_loop;
  stacks_.reserve(loop ? 1 : static_cast<std::size_t>(worker_.threads), job.options().stack_bytes);
  shared_guard_.arm(job.module().dynamic_shared(), job.shared_bytes());
  current = this;
  for (Job::Range range = job.take(); range.first < range.last; range = job.take()) run_range(range);
  current = nullptr;
  if (worker_.reason != mylos_failed) shared_memory_is_whole(shared_guard_.first_change());
}

void BlockRunner::run_range(Job::Range range) {
  if (job_->module().facts().execution == Execution::vector_loop) return run_vector_loop(range);
  for (long block = range.first; block < range.last; ++block) {
    std::ranges::copy(index_of(block), worker_.block);
    run_block();
    if (worker_.reason == mylos_failed || !shared_memory_is_whole(shared_guard_.first_near_change())) return;
  }
}

std::array<int, 3> BlockRunner::index_of(long block) const noexcept {
  const auto& grid = job_->launch().grid;
  return {static_cast<int>(block % grid[0]), static_cast<int>(block / grid[0] % grid[1]),
          static_cast<int>(block / grid[0] / grid[1])};
}

void BlockRunner::run_vector_loop(Job::Range range) {
  range_ = range;
  block_now_ = range.first;
  started_ = 0;
  prepare(0);
  enter(0);
}

void BlockRunner::run_block() {
  worker_.next_thread = 0;
  std::fill_n(worker_.reductions, worker_.threads, 0U);
  std::fill_n(worker_.reduction, std::size(worker_.reduction), 0);
  started_ = 0;
  // At each turn of this loop all threads have started, and those that have not finished wait at a barrier or spin.
  bool going_on = start_threads();
  while (going_on) going_on = settle() && meet();
}

// Every thread runs to its first barrier, or its end. Fibers start each other (run_on_fiber), so that this loop only
// goes round when a thread spins.
bool BlockRunner::start_threads() {
  while (worker_.next_thread < worker_.threads) {
    if (!start_next_fiber()) return false;
  }
  return true;
}

bool BlockRunner::start_next_fiber() {
  prepare(started_);
  enter(started_);
  return note_return();
}

// What the fiber that came back wants. False: the launch has failed.
bool BlockRunner::note_return() noexcept {
  constexpr std::array states{State::waiting, State::done, State::spinning};
  if (worker_.reason == mylos_failed) return false;
  if (worker_.reason == mylos_spinning) worker_.next[worker_.fiber] = mylos_scheduler_slot;
  states_[static_cast<std::size_t>(worker_.fiber)] = states.at(static_cast<std::size_t>(worker_.reason));
  return true;
}

// All waiting threads go on together, from barrier to barrier, until one spins. False: none is left, or failed.
bool BlockRunner::meet() {
  int fiber = close_ring();
  while (fiber != mylos_scheduler_slot) {
    enter(fiber);
    if (!note_return()) return false;
    if (worker_.reason == mylos_spinning) return run_interval_without_ring(worker_.fiber);
    fiber = leave_ring(worker_.fiber);  // it has finished: nothing else leads from a closed ring to here
  }
  return false;
}

// The ring goes through increasing numbers: threads before the one that spins have arrived at the next barrier, the
// ones behind it have not.
bool BlockRunner::run_interval_without_ring(int spinner) {
  std::fill_n(worker_.next, started_, static_cast<unsigned short>(mylos_scheduler_slot));
  for (int fiber = spinner + 1; fiber < started_; ++fiber) {
    if (states_[static_cast<std::size_t>(fiber)] != State::waiting) continue;
    enter(fiber);
    if (!note_return()) return false;
  }
  return true;
}

// Threads that spin take turns until each waits at a barrier or has finished.
bool BlockRunner::settle() {
  auto since = std::chrono::steady_clock::time_point::max();
  while (std::find(states_.begin(), states_.begin() + started_, State::spinning) != states_.begin() + started_) {
    bool progress = false;
    if (!give_turns(progress)) return false;
    if (progress) {
      since = std::chrono::steady_clock::time_point::max();
      continue;
    }
    ::sched_yield();  // perhaps they wait for a block that another OS thread runs
    const auto now = std::chrono::steady_clock::now();
    since = std::min(since, now);
    if (now - since < job_->options().patience) continue;
    give_up_waiting();
    return false;
  }
  return true;
}

bool BlockRunner::give_turns(bool& progress) {
  for (int fiber = 0; fiber < started_; ++fiber) {
    State& state = states_[static_cast<std::size_t>(fiber)];
    if (state != State::spinning) continue;
    enter(fiber);
    if (!note_return()) return false;
    progress = progress || state != State::spinning;
  }
  return true;
}

void BlockRunner::give_up_waiting() {
  record(
      {.kind = Kind::deadlock,
       .text = fmt::format("threads waited for each other for {} s without one of them getting on: they may wait for "
                           "a thread at a barrier, or for a block that has no OS thread to run on: let no thread "
                           "wait across a barrier, or raise MYLOS_EMULATOR_THREADS",
                           job_->options().patience.count())});
  worker_.reason = mylos_failed;
}

bool BlockRunner::shared_memory_is_whole(std::optional<std::size_t> change) {
  if (!change) return true;
  record({.kind = Kind::memory,
          .sites = {{.block = site().block}},
          .text = fmt::format("byte {} behind the {} bytes of dynamic shared memory that the launch asked for was "
                              "written, by this block or one before: it belongs to nobody: ask for more with "
                              "Launch::shared_bytes, or check the indices",
                              *change, job_->shared_bytes())});
  worker_.reason = mylos_failed;
  return false;
}

int BlockRunner::close_ring() noexcept {
  int first = mylos_scheduler_slot;
  int last = mylos_scheduler_slot;
  for (int fiber = 0; fiber < started_; ++fiber) {
    if (states_[static_cast<std::size_t>(fiber)] != State::waiting) continue;
    if (first == mylos_scheduler_slot) first = fiber;
    worker_.next[last] = static_cast<unsigned short>(fiber);
    previous_[static_cast<std::size_t>(fiber)] = static_cast<unsigned short>(last);
    last = fiber;
  }
  worker_.next[last] = static_cast<unsigned short>(first);
  previous_[static_cast<std::size_t>(first)] = static_cast<unsigned short>(last);
  return first;
}

// Returns the one behind it, or the scheduler's slot when the ring is empty.
int BlockRunner::leave_ring(int fiber) noexcept {
  const unsigned short next = worker_.next[fiber];
  const unsigned short previous = previous_[static_cast<std::size_t>(fiber)];
  worker_.next[previous] = next;
  previous_[next] = previous;
  return next == fiber ? int{mylos_scheduler_slot} : int{next};
}

Site BlockRunner::site_of(const mylos_place& place) const {
  const auto extents = [](int rank, const int (&index)[3]) {
    const auto [x, y, z] = index;
    return rank == 1 ? Extents3(x) : (rank == 2 ? Extents3(x, y) : Extents3(x, y, z));
  };
  const auto& shape = job_->launch();
  return {.block = extents(rank_of(shape.grid), place.block), .thread = extents(rank_of(shape.block), place.thread)};
}

Site BlockRunner::site() const {
  mylos_place place{};
  const bool loop = job_->module().facts().execution == Execution::vector_loop;
  if (loop) {
    std::ranges::copy(index_of(block_now_), place.block);
  } else {
    const auto& block = job_->launch().block;
    const int t = worker_.thread;
    std::ranges::copy(worker_.block, place.block);
    std::ranges::copy(std::array{t % block[0], t / block[0] % block[1], t / block[0] / block[1]}, place.thread);
  }
  Site site = site_of(place);
  if (loop) site.thread = {};
  return site;
}

void BlockRunner::record(Finding finding, std::uintptr_t code) {
  finding.kernel = job_->kernel();
  if (finding.sites.empty()) finding.sites.push_back(site());
  job_->fail(std::move(finding), code);
}

#ifdef MYLOS_IN_PLACE_SWITCH

namespace {
// The layout that mylos_switch expects: the address to go on at, below it what looks like the return address of a
// function that nobody called.
void* new_stack(std::uintptr_t top, void (*function)()) {
  auto* words = reinterpret_cast<std::uintptr_t*>(top);
  *--words = 0;
  *--words = reinterpret_cast<std::uintptr_t>(function);
  return words;
}
}  // namespace

#endif

namespace {
MYLOS_LEAVES_FIBER void on_new_portable_fiber(transfer_t from) noexcept;
}

void BlockRunner::prepare(int fiber) noexcept {
  const std::uintptr_t top = stacks_.top(static_cast<std::size_t>(fiber));
  void*& stack = worker_.stack_pointers[fiber];
#ifdef MYLOS_IN_PLACE_SWITCH
  if (!job_->module().portable_switch()) {
    stack = new_stack(top, reinterpret_cast<void (*)()>(&BlockRunner::on_new_fiber));
    return;
  }
#endif
  stack = make_fcontext(reinterpret_cast<void*>(top), stacks_.bytes() - 4096, on_new_portable_fiber);
}

// Called by kernels and here; the one that goes on learns where the other stopped.
MYLOS_LEAVES_FIBER void BlockRunner::switch_portably(int from, int to) noexcept {
  if (from == to) return;  // alone in its block
  const transfer_t back = jump_fcontext(worker_.stack_pointers[to], &worker_.stack_pointers[from]);
  *static_cast<void**>(back.data) = back.fctx;
}

void BlockRunner::enter(int fiber) {
  in_kernel_ = true;
  switch_to(mylos_scheduler_slot, fiber);
  in_kernel_ = false;
  if (fault_.signal == 0) return;
  record(explain_fault(fault_.signal, fault_.address, *this), fault_.code);
  fault_ = {};
}

MYLOS_LEAVES_FIBER void BlockRunner::switch_to(int from, int to) noexcept {
#ifdef MYLOS_IN_PLACE_SWITCH
  if (!job_->module().portable_switch()) {
    mylos_in_place::mylos_switch(&worker_, from, to);
    return;
  }
#endif
  switch_portably(from, to);
}

MYLOS_LEAVES_FIBER void BlockRunner::leave_fiber(mylos_reason reason) noexcept {
  worker_.reason = reason;
  switch_to(worker_.fiber, mylos_scheduler_slot);
  __builtin_unreachable();
}

MYLOS_LEAVES_FIBER void BlockRunner::abandon() noexcept { leave_fiber(mylos_failed); }

MYLOS_LEAVES_FIBER void BlockRunner::abandon_running() noexcept { current->abandon(); }

MYLOS_LEAVES_FIBER void BlockRunner::on_new_fiber() noexcept { current->run_on_fiber(current->started_); }

namespace {
MYLOS_LEAVES_FIBER void on_new_portable_fiber(transfer_t from) noexcept {
  *static_cast<void**>(from.data) = from.fctx;
  BlockRunner::on_new_fiber();
}
}  // namespace

MYLOS_LEAVES_FIBER void BlockRunner::run_on_fiber(int fiber) noexcept {
  const Module& module = job_->module();
  worker_.fiber = fiber;
  started_ = fiber + 1;
  if (module.facts().execution == Execution::vector_loop) {
    module.vector_entry()(worker_.launch, range_.first, range_.last, &block_now_);
  } else {
    states_[static_cast<std::size_t>(fiber)] = State::waiting;
    // A thread that waits starts the next fiber from its barrier, if threads are left for it.
    const bool more = worker_.next_thread + 1 < worker_.threads;
    if (more) prepare(fiber + 1);
    worker_.next[fiber] = static_cast<unsigned short>(more ? fiber + 1 : int{mylos_scheduler_slot});
    module.threads_entry()(&worker_);
  }
  leave_fiber(mylos_finished);
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
