// SPDX-License-Identifier: MIT
// One launch, as its workers share it.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>

#include "emulator/loader.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Job {
 public:
  /// Throws ValueError for a bad MYLOS_EMULATOR_PATIENCE.
  Job(const Module& module, const std::string& kernel, const mylos_launch& launch, unsigned workers,
      std::size_t stack_bytes);

  [[nodiscard]] const Module& module() const noexcept { return module_; }
  [[nodiscard]] const std::string& kernel() const noexcept { return kernel_; }
  [[nodiscard]] const mylos_launch& launch() const noexcept { return launch_; }
  [[nodiscard]] unsigned workers() const noexcept { return workers_; }
  [[nodiscard]] std::size_t stack_bytes() const noexcept { return stack_bytes_; }
  /// How long threads may wait for each other without one getting on: MYLOS_EMULATOR_PATIENCE in seconds, default 20.
  [[nodiscard]] std::chrono::seconds patience() const noexcept { return patience_; }

  /// Blocks [first, last), numbered x fastest.
  struct Range {
    long first = 0;
    long last = 0;
  };
  /// The next blocks to run; an empty range when none are left or the launch has failed.
  Range take() noexcept;

  /// Adds a finding and ends the launch: no more blocks are given out.
  void fail(Finding finding);
  /// After all workers are done.
  [[nodiscard]] std::vector<Finding> findings();

 private:
  const Module& module_;
  const std::string& kernel_;
  mylos_launch launch_;
  unsigned workers_;
  std::size_t stack_bytes_;
  std::chrono::seconds patience_;
  long blocks_;
  long chunk_;
  std::atomic<long> next_ = 0;
  std::mutex mutex_;
  std::vector<Finding> findings_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
