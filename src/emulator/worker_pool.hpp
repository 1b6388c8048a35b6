// SPDX-License-Identifier: MIT
// OS threads that help launches; they live as long as the process.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Job;

class WorkerPool {
 public:
  static WorkerPool& instance();

  /// Runs the job on the calling thread and up to workers() - 1 of the pool; returns when all of them have left it.
  /// A launch does not depend on helpers: if all are busy, or the system gives no threads, the caller does the work.
  /// Only one whose blocks meet at barriers of the grid gets all of them. Throws what BlockRunner::work throws on the
  /// calling thread, of such a one on any; LaunchError when the system gives too few threads for it.
  void run(Job& job);

 private:
  struct Request;

  void call_helpers(Request& request, unsigned helpers);
  void wait_for_helpers(Request& request);
  static std::exception_ptr help(Job& job);
  void help();

  std::mutex mutex_;
  std::condition_variable work_, left_;
  std::vector<Request*> requests_;  // one entry for each helper that is wanted; keeps its memory
  std::size_t threads_ = 0, busy_ = 0;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
