// SPDX-License-Identifier: MIT
#include "emulator/block_runner.hpp"

#include <algorithm>
#include <array>
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
  worker_.is_row = worker_.threads == job.launch().block[0] ? 1 : 0;
  const bool loop = job.module().facts().execution == Execution::vector_loop;
  if (!loop && worker_.is_row == 0) count_indices();
  if (loop) worker_.threads = 1;  // as one fiber
  stacks_.reserve(spare_stack() + 1, job.options().stack_bytes);
  shared_guard_.arm(job.module().dynamic_shared(), job.shared_bytes());
  current = this;
  current_worker = &worker_;
  worker_.running_indices = nullptr;
  worker_.put_indices = nullptr;
  for (Job::Range range = job.take(); range.first < range.last; range = job.take()) run_range(range);
  current = nullptr;
  if (worker_.reason != mylos_failed) shared_memory_is_whole(shared_guard_.first_change());
}

// Of all threads of a block, x fastest.
void BlockRunner::count_indices() {
  const int (&extents)[3] = job_->launch().block;
  int thread = 0;
  for (int z = 0; z < extents[2]; ++z) {
    for (int y = 0; y < extents[1]; ++y) {
      for (int x = 0; x < extents[0]; ++x) {
        std::ranges::copy(std::array{x, y, z}, worker_.indices[thread++]);
      }
    }
  }
}

void BlockRunner::run_range(Job::Range range) {
  if (job_->module().facts().execution == Execution::vector_loop) return run_vector_loops(range);
  for (long position = range.first; position < range.last; ++position) {
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
  worker_.thread = 0;
  stacks_in_use_ = 0;
  prepare(0);
  enter(0);
}

void BlockRunner::run_block(long block) {
  HappensBefore* happens_before = nullptr;
  if (job_->is_checked()) happens_before = &Checker::running().begin_block(worker_);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    worker_.starts[axis] = static_cast<long>(worker_.block[axis]) * job_->launch().block[axis];
  }
  schedule_.begin({job_->left_counts_as_arrived(), job_->options().patience, happens_before,
                   ThreadOrder(job_->options().order_seed, block)});
  stacks_in_use_ = 0;
  prepare(0);
  for (int thread = schedule_.next(); thread != Schedule::nobody; thread = schedule_.next()) {
    if (schedule_.is_starting()) prepare(thread);
    enter(thread);
    if (worker_.reason == mylos_failed) return;
    if (schedule_.is_starting() && worker_.reason == mylos_finished) --stacks_in_use_;  // its stack is free again
    schedule_.note_return();
  }
  record_problem();
}

// Whether there is none.
bool BlockRunner::record_problem() {
  if (!schedule_.has_problem()) return true;
  record(std::move(*schedule_.take_problem()));
  worker_.reason = mylos_failed;
  return false;
}

void BlockRunner::record(Problem problem) {
  std::vector<CodePath> paths;
  for (const int thread : problem.threads) paths.push_back(path_of(thread));
  record(std::move(problem.finding), std::move(paths));
}

std::optional<int> BlockRunner::come_to_barrier(const mylos_where& where) {
  const int next = schedule_.come_to_barrier(where);
  if (!record_problem()) return std::nullopt;
  if (next != mylos_scheduler_slot) go_on(next);
  return next;
}

bool BlockRunner::complete() {
  schedule_.complete_meeting();
  return record_problem();
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
  const bool is_here = in_kernel_ && thread == worker_.thread;
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
  if (job_->module().facts().execution != Execution::vector_loop) return site_of(worker_, worker_.thread);
  mylos_place place{};
  std::ranges::copy(index_of(block_now_, job_->launch().grid), place.block);
  return {.block = site_of(job_->launch(), place).block};
}

void BlockRunner::record(Finding finding, std::vector<CodePath> paths) {
  finding.kernel = job_->kernel();
  if (finding.sites.empty()) finding.sites.push_back(site());
  job_->fail(std::move(finding), std::move(paths));
}

#ifdef MYLOS_IN_PLACE_SWITCH

namespace {
// The top of the stack is what looks like the return address of a function that nobody called.
mylos_fiber new_fiber(std::uintptr_t top, void (*function)()) {
  auto* const words = reinterpret_cast<std::uintptr_t*>(top) - 1;
  *words = 0;
  return {words, nullptr, reinterpret_cast<const void*>(function), nullptr};
}
}  // namespace

#endif

namespace {
MYLOS_LEAVES_FIBER void on_new_portable_fiber(transfer_t from) noexcept;
}

// A thread's beginning, on the next stack that is free.
void BlockRunner::prepare(int thread) noexcept {
  const std::uintptr_t top = stacks_.top(stacks_in_use_);
  mylos_fiber& fiber = worker_.fibers[thread];
#ifdef MYLOS_IN_PLACE_SWITCH
  if (!job_->module().portable_switch()) {
    fiber = new_fiber(top, reinterpret_cast<void (*)()>(&BlockRunner::on_new_fiber));
    return;
  }
#endif
  fiber = {make_fcontext(reinterpret_cast<void*>(top), stacks_.bytes() - 4096, on_new_portable_fiber), nullptr, nullptr,
           nullptr};
}

// Called by kernels and here; the one that goes on learns where the other stopped.
MYLOS_LEAVES_FIBER void BlockRunner::switch_portably(int from, int to) noexcept {
  if (from == to) return;  // alone in its block
  const transfer_t back = jump_fcontext(worker_.fibers[to].stack, &worker_.fibers[from].stack);
  *static_cast<void**>(back.data) = back.fctx;
}

// What a thread finds when it goes on. One that starts sees to its indices itself.
void BlockRunner::go_on(int thread) noexcept {
  worker_.thread = thread;
  if (thread < worker_.next_thread && worker_.put_indices != nullptr) worker_.put_indices(&worker_);
}

void BlockRunner::enter(int thread) {
  in_kernel_ = true;
  go_on(thread);
  switch_to(mylos_scheduler_slot, thread);
  in_kernel_ = false;
  if (fault_.signal == 0) return;
  record(explain_fault(fault_.signal, fault_.address, *this), {{fault_.code}});
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
  switch_to(worker_.thread, mylos_scheduler_slot);
  __builtin_unreachable();
}

MYLOS_LEAVES_FIBER void BlockRunner::abandon() noexcept { leave_fiber(mylos_failed); }

MYLOS_LEAVES_FIBER void BlockRunner::abandon_running() noexcept { current->abandon(); }

MYLOS_LEAVES_FIBER void BlockRunner::on_new_fiber() noexcept { current->run_on_fiber(); }

namespace {
MYLOS_LEAVES_FIBER void on_new_portable_fiber(transfer_t from) noexcept {
  *static_cast<void**>(from.data) = from.fctx;
  BlockRunner::on_new_fiber();
}
}  // namespace

MYLOS_LEAVES_FIBER void BlockRunner::run_on_fiber() noexcept {
  const Module& module = job_->module();
  const bool loop = module.facts().execution == Execution::vector_loop;
  ++stacks_in_use_;
  // A thread that waits goes on with the next one, on another stack.
  if (!loop && !schedule_.chooses_who_starts() && worker_.next_thread + 1 < worker_.threads) {
    prepare(worker_.next_thread + 1);
  }
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
