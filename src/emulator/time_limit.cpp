// SPDX-License-Identifier: MIT
#include "emulator/time_limit.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <mylos/base/log.hpp>

#include "emulator/job.hpp"
#include "emulator/process_wide.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using Clock = std::chrono::steady_clock;

// A worker that was interrupted outside of the kernel's own code goes on, and is interrupted again so much later.
constexpr std::chrono::milliseconds between_interrupts{5};

class Watch {
 public:
  void add(Job& job, Clock::time_point end) {
    const std::lock_guard lock(mutex_);
    watched_.push_back({&job, end});
    if (!started_) start();
    if (end < wakes_at_) wake_.notify_one();
  }

  void remove(const Job& job) {
    const std::lock_guard lock(mutex_);
    std::erase_if(watched_, [&job](const Watched& watched) { return watched.job == &job; });
  }

 private:
  struct Watched {
    Job* job;
    Clock::time_point end;
  };

  void start() {
    try {
      std::thread([this] { watch(); }).detach();
      started_ = true;
    } catch (const std::system_error& error) {
      log::warning(std::string("launches of the emulator have no time limit: no thread to watch them: ") +
                   error.what());
    }
  }

  [[noreturn]] void watch() {
    std::unique_lock lock(mutex_);
    while (true) {
      const auto now = Clock::now();
      auto next = Clock::time_point::max();
      for (const Watched& watched : watched_) {
        if (watched.end <= now) watched.job->interrupt();
        next = std::min(next, watched.end <= now ? now + between_interrupts : watched.end);
      }
      wakes_at_ = next;
      if (next == Clock::time_point::max()) {
        wake_.wait(lock);
      } else {
        wake_.wait_until(lock, next);
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Watched> watched_;
  Clock::time_point wakes_at_ = Clock::time_point::max();
  bool started_ = false;
};

}  // namespace

TimeLimit::TimeLimit(Job& job, std::chrono::seconds limit) : job_(job) {
  of_this_process<Watch>().add(job, Clock::now() + limit);
}

TimeLimit::~TimeLimit() { of_this_process<Watch>().remove(job_); }

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
