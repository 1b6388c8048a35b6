// SPDX-License-Identifier: MIT
#include "emulator/worker_pool.hpp"

#include <exception>
#include <system_error>
#include <thread>

#include <mylos/base/log.hpp>

#include "emulator/block_runner.hpp"
#include "emulator/job.hpp"
#include "emulator/process_wide.hpp"
#include "emulator/signals.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

struct WorkerPool::Request {
  Job* job;
  unsigned helpers = 0;  // that are in it now
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
  }
  wait_for_helpers(request);
  if (failure) std::rethrow_exception(failure);
}

void WorkerPool::call_helpers(Request& request, unsigned helpers) {
  const std::lock_guard lock(mutex_);
  requests_.insert(requests_.end(), helpers, &request);
  try {
    for (; threads_ < helpers; ++threads_) std::thread([this] { help(); }).detach();
  } catch (const std::system_error& error) {
    log::warning(std::string("the emulator runs with fewer threads than asked for: ") + error.what());
  }
  work_.notify_all();
}

void WorkerPool::wait_for_helpers(Request& request) {
  std::unique_lock lock(mutex_);
  std::erase(requests_, &request);
  left_.wait(lock, [&request] { return request.helpers == 0; });
}

void WorkerPool::help() {
  need_signal_stack();
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return !requests_.empty(); });
    Request& request = *requests_.front();
    requests_.erase(requests_.begin());
    ++request.helpers;
    lock.unlock();
    try {
      BlockRunner::of_this_thread().work(*request.job);
    } catch (const std::exception& error) {
      log::warning(std::string("a thread of the emulator cannot help: ") + error.what());
    }
    lock.lock();
    --request.helpers;
    left_.notify_all();
  }
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
