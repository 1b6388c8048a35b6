// SPDX-License-Identifier: MIT
// Runs blocks on one OS thread: the scheduler of a block's CUDA threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <mylos/base/abi.hpp>

#include "emulator/job.hpp"
#include "emulator/schedule.hpp"
#include "emulator/shared_guard.hpp"
#include "emulator/shim/mylos_abi.hpp"
#include "emulator/stacks.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// One per OS thread. All kernel code runs on its fibers, never on the OS thread's own stack, so that whatever a kernel
/// does can be ended by going back to the scheduler and forgetting the fibers.
///
/// A fiber runs CUDA threads one after another until one waits. Threads that wait for each other hand over inside the
/// barrier or warp operation itself, without coming here, as long as they come in order: see schedule.hpp.
class BlockRunner {
 public:
  /// Of the calling OS thread.
  static BlockRunner& of_this_thread();
  /// The one that runs a kernel on the calling OS thread now, if any. Safe in a signal handler.
  static BlockRunner* running() noexcept;
  /// How far from the thread pointer each OS thread has the address of its mylos_worker, for mylos_services.
  static long place_of_worker() noexcept;

  /// Runs blocks of the job until none is left. Throws BackendError when there is no memory for stacks; kernels' faults
  /// go to the job.
  void work(Job& job);

  /// For code that was called by a kernel: ends the launch. The first records, the second does not return.
  /// `paths`: for lines of its sites that are not known, see Job::fail().
  void record(Finding finding, std::vector<CodePath> paths = {});
  [[noreturn]] void abandon() noexcept;

  /// For signal handlers: what happened is told when the scheduler runs again, which abandon_running() sees to. That
  /// must run from the top of this stack.
  void note_fault(int signal, std::uintptr_t address, std::uintptr_t code) noexcept {
    fault_ = {signal, address, code};
  }
  [[nodiscard]] std::uintptr_t top_of_stack() const noexcept { return stacks_.top(spare_stack()); }
  static void abandon_running() noexcept;
  /// Whether an address is on the stack that calls this; on any of the threads'.
  [[nodiscard]] bool is_on_stack(std::uintptr_t address) const noexcept {
    const std::uintptr_t end = stacks_.end_of(address);
    return end != 0 && end == stacks_.end_of(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  }
  [[nodiscard]] bool is_on_any_stack(std::uintptr_t address) const noexcept { return stacks_.end_of(address) != 0; }

  /// Whether the OS thread is on a fiber now, and not in the scheduler.
  [[nodiscard]] bool in_kernel() const noexcept { return in_kernel_; }
  [[nodiscard]] const Job& job() const noexcept { return *job_; }
  [[nodiscard]] bool is_guard(std::uintptr_t address) const noexcept { return stacks_.is_guard(address); }
  /// Block and thread that run now; no thread where the loop over threads is vectorised.
  [[nodiscard]] Site site() const;

  /// For kernels, see mylos_services. Null, or false: the launch has failed, and is to be abandoned.
  mylos_fiber* come_to_barrier(const mylos_where& where);
  [[nodiscard]] mylos_fiber* next_live(const mylos_fiber* fiber) noexcept {
    return worker_.fibers + schedule_.next_live(mylos_number(&worker_, fiber));
  }
  bool complete();
  bool meet_blocks(const char* file, int line);
  void misuse(int misuse, int value);
  void record_throw();
  bool gives_turn() noexcept { return schedule_.gives_turn(); }

  void switch_portably(mylos_fiber* from, mylos_fiber* to) noexcept;
  /// Where a new fiber begins.
  [[noreturn]] static void on_new_fiber() noexcept;

 private:
  void count_indices();
  void run_range(Job::Range range);
  void run_vector_loops(Job::Range range);
  void run_vector_loop(Job::Range range);
  void run_block(long block);
  void run_threads(long block, HappensBefore* happens_before);
  bool shared_memory_is_whole(std::optional<std::size_t> change);

  void prepare(int threads) noexcept;
  void enter(int thread);
  void switch_to(mylos_fiber* from, mylos_fiber* to) noexcept;
  [[nodiscard]] std::size_t spare_stack() const noexcept { return static_cast<std::size_t>(worker_.threads); }
  [[nodiscard]] CodePath path_of(int thread) const;
  [[nodiscard]] CodePath path_on_stack(CodePath path, std::uintptr_t stack) const;
  void record(Problem problem);
  bool record_problem();

  [[noreturn]] void run_on_fiber() noexcept;
  [[noreturn]] void leave_fiber(mylos_reason reason) noexcept;

  struct Fault {
    int signal = 0;  // 0: none
    std::uintptr_t address = 0;
    std::uintptr_t code = 0;
  };

  Job* job_ = nullptr;
  Fault fault_;
  volatile bool in_kernel_ = false;  // read by a signal handler
  Job::Range range_;                 // of a vector loop
  long block_now_ = 0;               // in it
  long position_ = 0;                // of another block, among those of the launch
  Stacks stacks_;
  SharedGuard shared_guard_;
  mylos_worker worker_{};
  std::array<int, 3> counted_{};  // extents of the block of which its fibers have the indices
  Schedule schedule_{worker_};
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
