// SPDX-License-Identifier: MIT
#include "emulator/worker_pool.hpp"

#include <system_error>
#include <thread>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "emulator/block_runner.hpp"
#include "emulator/job.hpp"
#include "emulator/process_wide.hpp"
#include "emulator/signals.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

struct WorkerPool::Request {
  Job* job;
  unsigned helpers = 0;  // that are in it now
  std::exception_ptr failure = {};
};

WorkerPool& WorkerPool::instance() { return of_this_process<WorkerPool>(); }

void WorkerPool::run(Job& job) {
  need_signal_stack();
  if (job.workers() == 1) {
    BlockRunner::of_this_thread().work(job);
    return;
  }
  Request request{&job};
  call_helpers(request, job.workers() - 1);
  std::exception_ptr failure;
  try {
    BlockRunner::of_this_thread().work(job);
  } catch (...) {
    failure = std::current_exception();
    if (job.meeting() != nullptr) job.stop();
  }
  wait_for_helpers(request);
  if (!failure) failure = request.failure;
  if (failure) std::rethrow_exception(failure);
}

void WorkerPool::call_helpers(Request& request, unsigned helpers) {
  const bool needs_all = request.job->meeting() != nullptr;
  const std::lock_guard lock(mutex_);
  const std::size_t wanted = needs_all ? busy_ + requests_.size() + helpers : helpers;
  try {
    for (; threads_ < wanted; ++threads_) std::thread([this] { help(); }).detach();
  } catch (const std::system_error& error) {
    if (needs_all) {
      throw LaunchError(
          fmt::format("cannot launch kernel '{}': its {} blocks meet at barriers of the grid, and the system gives no "
                      "thread for each ({}): launch fewer blocks, or raise the limit on threads (ulimit -u)",
                      request.job->kernel(), request.job->workers(), error.what()));
    }
    log::warning(std::string("the emulator runs with fewer threads than asked for: ") + error.what());
  }
  requests_.insert(requests_.end(), helpers, &request);
  work_.notify_all();
}

void WorkerPool::wait_for_helpers(Request& request) {
  std::unique_lock lock(mutex_);
  std::erase(requests_, &request);
  left_.wait(lock, [&request] { return request.helpers == 0; });
}

// Returns what keeps the launch from being done.
std::exception_ptr WorkerPool::help(Job& job) {
  try {
    BlockRunner::of_this_thread().work(job);
  } catch (const std::exception& error) {
    if (job.meeting() != nullptr) {
      job.stop();
      return std::current_exception();
    }
    log::warning(std::string("a thread of the emulator cannot help: ") + error.what());
  }
  return nullptr;
}

void WorkerPool::help() {
  need_signal_stack();
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return !requests_.empty(); });
    Request& request = *requests_.front();
    requests_.erase(requests_.begin());
    ++request.helpers;
    ++busy_;
    lock.unlock();
    const std::exception_ptr failure = help(*request.job);
    lock.lock();
    if (failure) request.failure = failure;
    --busy_;
    --request.helpers;
    left_.notify_all();
  }
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
