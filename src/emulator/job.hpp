// SPDX-License-Identifier: MIT
// One launch, as its workers share it.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/block_meeting.hpp"
#include "emulator/loader.hpp"
#include "emulator/run_order.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Instructions of a kernel that led to a place, from the innermost call outwards.
using CodePath = std::vector<std::uintptr_t>;

class Job {
 public:
  Job(const Module& module, const std::string& kernel, const mylos_launch& launch, std::size_t shared_bytes,
      const Options& options);

  [[nodiscard]] const Module& module() const noexcept { return module_; }
  [[nodiscard]] const std::string& kernel() const noexcept { return kernel_; }
  [[nodiscard]] const mylos_launch& launch() const noexcept { return launch_; }
  [[nodiscard]] std::size_t shared_bytes() const noexcept { return shared_bytes_; }
  [[nodiscard]] unsigned workers() const noexcept { return launch_.workers; }
  [[nodiscard]] const Options& options() const noexcept { return options_; }
  /// Whether barriers do without threads that have left the kernel.
  [[nodiscard]] bool left_counts_as_arrived() const noexcept { return left_counts_as_arrived_; }
  [[nodiscard]] bool is_checked() const noexcept { return !options_.checks.empty(); }
  /// Where blocks meet at barriers of the grid; null where they cannot, or there is one block. With it, the job needs
  /// all of its workers.
  [[nodiscard]] BlockMeeting* meeting() noexcept { return meeting_ ? &*meeting_ : nullptr; }

  /// Positions [first, last) in the order of the blocks.
  struct Range {
    long first = 0;
    long last = 0;
  };
  /// The next blocks to run; an empty range when none are left or the launch has failed.
  Range take() noexcept;
  /// The block that is run there, numbered x fastest.
  [[nodiscard]] long block_at(long position) const noexcept { return order_(position); }

  /// Adds a finding and ends the launch: no more blocks are given out. That threads wait in vain is a finding only when
  /// it is the first: it follows from the others. `paths`: for the sites of the finding, to tell lines that are not
  /// known or Mylos' own.
  void fail(Finding finding, std::vector<CodePath> paths = {});
  /// Ends the launch: no more blocks are given out, and none waits for others at barriers of the grid.
  void stop();

  /// The calling OS thread works on the job while this exists: it is interrupted with it.
  class Worker {
   public:
    explicit Worker(Job& job);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

   private:
    friend class Job;

    Job& job_;
    const pthread_t thread_ = ::pthread_self();
    Worker* next_worker_ = nullptr;
  };
  /// Ends the launch for having taken too long: sends its workers a signal, see signals.hpp.
  void interrupt();
  [[nodiscard]] Finding out_of_time() const;
  /// Safe in a signal handler.
  [[nodiscard]] bool is_interrupted() const noexcept { return interrupted_.load(std::memory_order_relaxed); }
  /// After all workers are done.
  [[nodiscard]] std::vector<Finding> findings();

 private:
  void find_line(Site& site, const CodePath& path) const;

  const Module& module_;
  const std::string& kernel_;
  mylos_launch launch_;
  std::size_t shared_bytes_;
  Options options_;
  bool left_counts_as_arrived_;
  long blocks_;
  BlockOrder order_;
  long chunk_;
  std::optional<BlockMeeting> meeting_;
  std::atomic<long> next_ = 0;
  std::atomic<bool> interrupted_ = false;
  std::mutex mutex_;
  std::vector<Finding> findings_;
  std::vector<std::vector<CodePath>> paths_;  // of the findings
  Worker* first_worker_ = nullptr;            // of a list of those that are on it: they lie on their threads' stacks
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
