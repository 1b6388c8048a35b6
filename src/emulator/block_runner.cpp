// SPDX-License-Identifier: MIT
#include "emulator/block_runner.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include <boost/context/detail/fcontext.hpp>
#include <fmt/format.h>

#include "emulator/checker.hpp"
#include "emulator/divergence.hpp"
#include "emulator/leaving.hpp"
#include "emulator/shim/mylos_switch.hpp"
#include "emulator/signals.hpp"
#include "emulator/site.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// At one distance from the thread pointer in all OS threads: found without a call, and by kernels, too.
[[gnu::tls_model("initial-exec")]] thread_local BlockRunner* current = nullptr;
[[gnu::tls_model("initial-exec")]] thread_local mylos_worker* current_worker = nullptr;

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

}  // namespace

BlockRunner& BlockRunner::of_this_thread() {
  thread_local const auto runner = std::make_unique<BlockRunner>();  // tens of kilobytes
  return *runner;
}

BlockRunner* BlockRunner::running() noexcept { return current; }

long BlockRunner::place_of_worker() noexcept {
  const char* thread_pointer = nullptr;
#ifdef __x86_64__
  __asm__("movq %%fs:0, %0" : "=r"(thread_pointer));
#else
  thread_pointer = static_cast<const char*>(__builtin_thread_pointer());
#endif
  return reinterpret_cast<const char*>(&current_worker) - thread_pointer;
}

void BlockRunner::work(Job& job) {
  const Job::Worker worker(job);
  job_ = &job;
  worker_.launch = &job.launch();
  worker_.threads = job.launch().block[0] * job.launch().block[1] * job.launch().block[2];
  const bool loop = job.module().facts().execution == Execution::vector_loop;
  if (loop) {
    worker_.threads = 1;  // as one fiber
  } else {
    count_indices();
  }
  stacks_.reserve(spare_stack() + 1, job.options().stack_bytes);
  shared_guard_.arm(job.module().dynamic_shared(), job.shared_bytes());
  current = this;
  current_worker = &worker_;
  for (Job::Range range = job.take(); range.first < range.last; range = job.take()) run_range(range);
  current = nullptr;
  if (worker_.reason != mylos_failed) shared_memory_is_whole(shared_guard_.first_change());
}

// Of all threads of a block, as index_of() has them; it divides.
void BlockRunner::count_indices() {
  std::array<int, 3> extents{};
  std::ranges::copy(job_->launch().block, extents.begin());
  if (extents == counted_) return;
  counted_ = extents;
  mylos_fiber* fiber = worker_.fibers;
  for (unsigned short z = 0; z < extents[2]; ++z) {
    for (unsigned short y = 0; y < extents[1]; ++y) {
      for (unsigned short x = 0; x < extents[0]; ++x) std::ranges::copy(std::array{x, y, z}, (fiber++)->index);
    }
  }
}

void BlockRunner::run_range(Job::Range range) {
  if (job_->module().facts().execution == Execution::vector_loop) return run_vector_loops(range);
  for (long position = range.first; position < range.last; ++position) {
    position_ = position;
    const long block = job_->block_at(position);
    std::ranges::copy(index_of(block, job_->launch().grid), worker_.block);
    run_block(block);
    if (worker_.reason == mylos_failed || !shared_memory_is_whole(shared_guard_.first_near_change())) return;
  }
}

// One loop for all blocks, where they run in order.
void BlockRunner::run_vector_loops(Job::Range range) {
  if (job_->options().order_seed == 0) return run_vector_loop(range);
  worker_.reason = mylos_finished;
  for (long position = range.first; position < range.last && worker_.reason != mylos_failed; ++position) {
    const long block = job_->block_at(position);
    run_vector_loop({block, block + 1});
  }
}

void BlockRunner::run_vector_loop(Job::Range range) {
  range_ = range;
  block_now_ = range.first;
  prepare(1);
  enter(0);
}

void BlockRunner::run_block(long block) {
  BlockMeeting* const meeting = job_->meeting();
  if (meeting != nullptr && !meeting->begin(position_)) {
    worker_.reason = mylos_failed;
    return;
  }
  run_threads(block, job_->is_checked() ? &Checker::running().begin_block(worker_) : nullptr);
  if (meeting != nullptr && worker_.reason != mylos_failed) meeting->end(position_);
}

void BlockRunner::run_threads(long block, HappensBefore* happens_before) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    worker_.starts[axis] = static_cast<long>(worker_.block[axis]) * job_->launch().block[axis];
  }
  schedule_.begin({job_->left_counts_as_arrived(), job_->options().patience, happens_before,
                   job_->is_checked() ? &stacks_ : nullptr, ThreadOrder(job_->options().order_seed, block)});
  prepare(worker_.threads);
  for (int thread = schedule_.next(); thread != Schedule::nobody; thread = schedule_.next()) {
    enter(thread);
    if (worker_.reason == mylos_failed) return;
    schedule_.note_return();
  }
  record_problem();
}

// Whether there is none.
bool BlockRunner::record_problem() {
  const std::optional<Problem>& problem = schedule_.problem();
  if (!problem) return true;
  record(*problem);
  worker_.reason = mylos_failed;
  return false;
}

void BlockRunner::record(Problem problem) {
  std::vector<CodePath> paths;
  paths.reserve(problem.threads.size());
  for (const int thread : problem.threads) paths.push_back(path_of(thread));
  record(std::move(problem.finding), std::move(paths));
}

mylos_fiber* BlockRunner::come_to_barrier(const mylos_where& where) {
  const int thread = schedule_.come_to_barrier(where);
  if (!record_problem()) return nullptr;
  mylos_fiber* const next = worker_.fibers + thread;
  if (next != mylos_scheduler(&worker_)) worker_.running = next;
  return next;
}

bool BlockRunner::complete() {
  schedule_.complete_meeting();
  return record_problem();
}

bool BlockRunner::meet_blocks(const char* file, int line) {
  BlockMeeting* const meeting = job_->meeting();
  if (meeting == nullptr) return true;  // one block
  const BlockMeeting::Outcome outcome = meeting->meet(position_);
  if (outcome == BlockMeeting::Outcome::cannot_meet) {
    Site here = site();
    here.file = file;
    here.line = line;
    record({.kind = Kind::barrier,
            .sites = {std::move(here)},
            .text = "the block waits at a barrier of the grid, and others have left the kernel without one: a barrier "
                    "of the grid is for all blocks, on a GPU they wait forever: let every block come to each"});
  }
  if (outcome != BlockMeeting::Outcome::met) return false;
  if (job_->is_checked()) Checker::running().resume_block(worker_, position_ == 0);
  return true;
}

void BlockRunner::misuse(int misuse, int value) { record(explain_misuse(worker_, misuse, value)); }

MYLOS_LEAVES_FIBER void BlockRunner::record_throw() {
  record({.kind = Kind::crash,
          .text = "the kernel threw an exception: device code has none: return a value or a status instead"},
         {path_on_stack({}, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))});
}

// How a thread came to where it waits, or asks for this.
CodePath BlockRunner::path_of(int thread) const {
  if (!has_bit(worker_.live, thread)) return {};
  const bool is_here = in_kernel_ && thread == mylos_running_number(&worker_);
  if (is_here) return path_on_stack({}, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  const mylos_fiber& fiber = worker_.fibers[thread];
  CodePath path;
  if (fiber.code != nullptr) path.push_back(instruction_before(fiber.code));
  return path_on_stack(std::move(path), reinterpret_cast<std::uintptr_t>(fiber.stack));
}

// Without frame pointers: what looks like a place in the kernel's code that a call returns to. Values that are left
// from calls before may look like it, so no more than a line depends on it.
MYLOS_LEAVES_FIBER CodePath BlockRunner::path_on_stack(CodePath path, std::uintptr_t stack) const {
  constexpr std::size_t most_words = 1024, most_calls = 8;
  const std::uintptr_t end = stacks_.end_of(stack);
  for (std::size_t i = 0; i < most_words && path.size() < most_calls && stack < end; ++i, stack += sizeof stack) {
    const std::uintptr_t word = *reinterpret_cast<const std::uintptr_t*>(stack);
    if (job_->module().holds_code(instruction_before(word))) path.push_back(instruction_before(word));
  }
  return path;
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

Site BlockRunner::site() const {
  if (job_->module().facts().execution != Execution::vector_loop)
    return site_of(worker_, mylos_running_number(&worker_));
  mylos_place place{};
  std::ranges::copy(index_of(block_now_, job_->launch().grid), place.block);
  return {.block = site_of(job_->launch(), place).block};
}

void BlockRunner::record(Finding finding, std::vector<CodePath> paths) {
  finding.kernel = job_->kernel();
  if (finding.sites.empty()) finding.sites.push_back(site());
  job_->fail(std::move(finding), std::move(paths));
}

// Each thread begins on a stack of its own, which nobody touches if the thread begins where the one before it has left:
// as a function that was called, so with room for where it would return to.
void BlockRunner::prepare(int threads) noexcept {
  for (int thread = 0; thread < threads; ++thread) {
    mylos_fiber& fiber = worker_.fibers[thread];
    fiber.stack = reinterpret_cast<void*>(stacks_.top(static_cast<std::size_t>(thread)) - sizeof(void*));
    fiber.frame = nullptr;
    fiber.code = reinterpret_cast<const void*>(&BlockRunner::on_new_fiber);
  }
}

namespace {

MYLOS_LEAVES_FIBER void on_new_portable_fiber(transfer_t from) noexcept {
  *static_cast<void**>(from.data) = from.fctx;
  BlockRunner::on_new_fiber();
}

}  // namespace

// Called by kernels and here; the one that goes on learns where the other stopped.
MYLOS_LEAVES_FIBER void BlockRunner::switch_portably(mylos_fiber* from, mylos_fiber* to) noexcept {
  if (from == to) return;  // alone in its block
  from->code = nullptr;    // also where it began on the stack of the one before it
  if (std::exchange(to->code, nullptr) != nullptr) {
    void* const top = static_cast<std::byte*>(to->stack) + sizeof(void*);
    to->stack = make_fcontext(top, stacks_.bytes() - 4096, on_new_portable_fiber);
  }
  const transfer_t back = jump_fcontext(to->stack, &from->stack);
  *static_cast<void**>(back.data) = back.fctx;
}

void BlockRunner::enter(int thread) {
  in_kernel_ = true;
  worker_.running = worker_.fibers + thread;
  switch_to(mylos_scheduler(&worker_), worker_.running);
  in_kernel_ = false;
  if (fault_.signal == 0) return;
  record(explain_fault(fault_.signal, fault_.address, *this), {{fault_.code}});
  fault_ = {};
}

MYLOS_LEAVES_FIBER void BlockRunner::switch_to(mylos_fiber* from, mylos_fiber* to) noexcept {
#ifdef MYLOS_IN_PLACE_SWITCH
  if (!job_->module().portable_switch()) {
    mylos_in_place::mylos_switch(from, to);
    return;
  }
#endif
  switch_portably(from, to);
}

MYLOS_LEAVES_FIBER void BlockRunner::leave_fiber(mylos_reason reason) noexcept {
  worker_.reason = reason;
  switch_to(worker_.running, mylos_scheduler(&worker_));
  __builtin_unreachable();
}

MYLOS_LEAVES_FIBER void BlockRunner::abandon() noexcept { leave_fiber(mylos_failed); }

MYLOS_LEAVES_FIBER void BlockRunner::abandon_running() noexcept { current->abandon(); }

MYLOS_LEAVES_FIBER void BlockRunner::on_new_fiber() noexcept { current->run_on_fiber(); }

MYLOS_LEAVES_FIBER void BlockRunner::run_on_fiber() noexcept {
  const Module& module = job_->module();
  const bool loop = module.facts().execution == Execution::vector_loop;
  bool has_thrown = false;
  try {
    if (loop) {
      module.vector_entry()(worker_.launch, range_.first, range_.last, &block_now_);
    } else {
      module.threads_entry()(&worker_);
    }
  } catch (...) {  // what the C++ library throws where a kernel calls it; left behind the handler, not in it
    has_thrown = true;
  }
  if (has_thrown) record_throw();
  leave_fiber(has_thrown ? mylos_failed : mylos_finished);
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
