// SPDX-License-Identifier: MIT
#include "emulator/job.hpp"

#include <algorithm>
#include <utility>

#include <mylos/base/environment.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Loops over many blocks at a time; few enough that workers which are slowed down leave the rest to others.
constexpr long pieces_per_worker = 16;

long product(const int (&extents)[3]) { return long{extents[0]} * extents[1] * extents[2]; }

}  // namespace

Job::Job(const Module& module, const std::string& kernel, const mylos_launch& launch, unsigned workers,
         std::size_t stack_bytes)
    : module_(module),
      kernel_(kernel),
      launch_(launch),
      workers_(workers),
      stack_bytes_(stack_bytes),
      patience_(environment::integer("MYLOS_EMULATOR_PATIENCE", 1, 86400).value_or(20)),
      blocks_(product(launch.grid)),
      chunk_(workers == 1 ? blocks_ : std::max(1L, blocks_ / (pieces_per_worker * workers))) {}

Job::Range Job::take() noexcept {
  long first = next_.load(std::memory_order_relaxed);
  while (first < blocks_) {
    const long last = chunk_ < blocks_ - first ? first + chunk_ : blocks_;
    if (next_.compare_exchange_weak(first, last, std::memory_order_relaxed)) return {first, last};
  }
  return {};
}

void Job::fail(Finding finding) {
  const std::lock_guard lock(mutex_);
  findings_.push_back(std::move(finding));
  next_.store(blocks_, std::memory_order_relaxed);
}

std::vector<Finding> Job::findings() {
  const std::lock_guard lock(mutex_);
  return findings_;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
