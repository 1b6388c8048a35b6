// SPDX-License-Identifier: MIT
// Runs blocks on one OS thread: the scheduler of a block's CUDA threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <mylos/base/abi.hpp>

#include "emulator/job.hpp"
#include "emulator/shared_guard.hpp"
#include "emulator/shim/mylos_abi.hpp"
#include "emulator/stacks.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// One per OS thread. All kernel code runs on its fibers, never on the OS thread's own stack, so that whatever a kernel
/// does can be ended by going back to the scheduler and forgetting the fibers.
///
/// A fiber runs CUDA threads one after another until one waits. Threads that meet at a barrier then form a ring in
/// which each hands over to the next inside the barrier, without coming here: when a thread gets control back, all
/// others have arrived. The scheduler is needed to start threads, to take finished ones out of the ring, and where a
/// thread waits for others through atomics, which breaks the ring up for this interval between barriers.
class BlockRunner {
 public:
  /// Of the calling OS thread.
  static BlockRunner& of_this_thread();
  /// The one that runs a kernel on the calling OS thread now, if any. Safe in a signal handler.
  static BlockRunner* running() noexcept;

  /// Runs blocks of the job until none is left. Throws BackendError when there is no memory for stacks; kernels' faults
  /// go to the job.
  void work(Job& job);

  /// For code that was called by a kernel: ends the launch. The first records, the second does not return.
  /// `code`: an address in the kernel's code that tells the line, if that is not known.
  void record(Finding finding, std::uintptr_t code = 0);
  [[noreturn]] void abandon() noexcept;

  /// For signal handlers: what happened is told when the scheduler runs again, which abandon_running() sees to. That
  /// must run on the fiber's stack, from its top.
  void note_fault(int signal, std::uintptr_t address, std::uintptr_t code) noexcept {
    fault_ = {signal, address, code};
  }
  [[nodiscard]] std::uintptr_t top_of_stack() const noexcept {
    return stacks_.top(static_cast<std::size_t>(worker_.fiber));
  }
  static void abandon_running() noexcept;

  /// Whether the OS thread is on a fiber now, and not in the scheduler.
  [[nodiscard]] bool in_kernel() const noexcept { return in_kernel_; }
  [[nodiscard]] const Job& job() const noexcept { return *job_; }
  [[nodiscard]] bool is_guard(std::uintptr_t address) const noexcept { return stacks_.is_guard(address); }
  /// Block and thread that run now; no thread where the loop over threads is vectorised.
  [[nodiscard]] Site site() const;
  /// Those that the kernel's own code tells, along the axes that the launch has.
  [[nodiscard]] Site site_of(const mylos_place& place) const;

  void switch_portably(int from, int to) noexcept;
  /// Where a new fiber begins.
  [[noreturn]] static void on_new_fiber() noexcept;

 private:
  enum class State : unsigned char { waiting, spinning, done };

  void run_range(Job::Range range);
  void run_vector_loop(Job::Range range);
  [[nodiscard]] std::array<int, 3> index_of(long block) const noexcept;
  void run_block();
  bool start_threads();
  bool start_next_fiber();
  bool meet();
  bool run_interval_without_ring(int spinner);
  bool settle();
  bool give_turns(bool& progress);
  void give_up_waiting();
  bool shared_memory_is_whole(std::optional<std::size_t> change);

  void prepare(int fiber) noexcept;
  void enter(int fiber);
  void switch_to(int from, int to) noexcept;
  int close_ring() noexcept;
  int leave_ring(int fiber) noexcept;
  bool note_return() noexcept;

  [[noreturn]] void run_on_fiber(int fiber) noexcept;
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
  Stacks stacks_;
  SharedGuard shared_guard_;
  int started_ = 0;  // fibers of the block
  std::array<State, mylos_max_threads> states_{};
  std::array<unsigned short, mylos_max_threads + 1> previous_{};  // in the ring
  mylos_worker worker_{};
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
