// SPDX-License-Identifier: MIT
#include "emulator/job.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>

#include "emulator/line_lookup.hpp"
#include "emulator/signals.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Loops over many blocks at a time; few enough that workers which are slowed down leave the rest to others.
constexpr long pieces_per_worker = 16;

// Checked kernels tell of every access; in others, the loop looks like any other.
constexpr const char* spins_on_volatile =
    ", or reads a volatile variable until a thread that has not had its turn writes it (put __nanosleep(100) into the "
    "loop, read by atomicAdd(p, 0), or launch with checks: each lets others have their turn)";

long product(const int (&extents)[3]) { return long{extents[0]} * extents[1] * extents[2]; }

}  // namespace

Job::Job(const Module& module, const std::string& kernel, const mylos_launch& launch, std::size_t shared_bytes,
         const Options& options)
    : module_(module),
      kernel_(kernel),
      launch_(launch),
      shared_bytes_(shared_bytes),
      options_(options),
      left_counts_as_arrived_(environment::choice("MYLOS_EMULATOR_EXITED", {"report", "arrive"}) == "arrive"),
      blocks_(product(launch.grid)),
      order_(options.order_seed, blocks_),
      chunk_(workers() == 1 ? blocks_ : std::max(1L, blocks_ / (pieces_per_worker * workers()))) {
  if (module.facts().blocks_meet && blocks_ > 1 && blocks_ == workers()) meeting_.emplace(blocks_, is_checked());
}

Job::Range Job::take() noexcept {
  long first = next_.load(std::memory_order_relaxed);
  while (first < blocks_) {
    const long last = chunk_ < blocks_ - first ? first + chunk_ : blocks_;
    if (next_.compare_exchange_weak(first, last, std::memory_order_relaxed)) return {first, last};
  }
  return {};
}

void Job::fail(Finding finding, std::vector<CodePath> paths) {
  const std::lock_guard lock(mutex_);
  if (finding.kind != Kind::deadlock || findings_.empty()) {
    findings_.push_back(std::move(finding));
    paths_.push_back(std::move(paths));
  }
  stop();
}

void Job::stop() {
  next_.store(blocks_, std::memory_order_relaxed);
  if (meeting_) meeting_->stop();
}

Job::Worker::Worker(Job& job) : job_(job) {
  const std::lock_guard lock(job_.mutex_);
  next_worker_ = std::exchange(job_.first_worker_, this);
}

Job::Worker::~Worker() {
  const std::lock_guard lock(job_.mutex_);
  Worker** link = &job_.first_worker_;
  while (*link != this) link = &(*link)->next_worker_;
  *link = next_worker_;
}

void Job::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_.store(true, std::memory_order_relaxed);
  stop();
  for (const Worker* worker = first_worker_; worker != nullptr; worker = worker->next_worker_) {
    ::pthread_kill(worker->thread_, interrupting_signal);
  }
}

Finding Job::out_of_time() const {
  return {.kind = Kind::deadlock,
          .kernel = kernel_,
          .text = fmt::format(
              "the launch was not finished after {} s: a loop in it may never end, like one that waits for a "
              "variable which the compiler need not read again{}: check what its loops wait for, or raise "
              "Options::time_limit (MYLOS_EMULATOR_TIME_LIMIT)",
              options_.time_limit.count(), is_checked() ? "" : spins_on_volatile)};
}

// A line in a header of Mylos says less than the user's line that led there.
void Job::find_line(Site& site, const CodePath& path) const {
  if (!site.file.empty() && !is_own_file(site.file)) return;
  for (const std::uintptr_t code : path) {
    if (const auto line = line_of(module_, code)) {
      site.file = line->file;
      site.line = line->number;
      site.column = line->column;
      return;
    }
  }
  site.file = shown_file(std::move(site.file));
}

std::vector<Finding> Job::findings() {
  const std::lock_guard lock(mutex_);
  // Its workers may all have come to an end by themselves, with blocks left.
  if (is_interrupted() && findings_.empty()) findings_.push_back(out_of_time());
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    for (std::size_t k = 0; k < paths_[i].size(); ++k) find_line(findings_[i].sites.at(k), paths_[i][k]);
  }
  return findings_;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
