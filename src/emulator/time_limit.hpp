// SPDX-License-Identifier: MIT
// Launches that take too long are ended.
#pragma once

#include <chrono>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Job;

/// While it exists, the job's workers are interrupted once `limit` has passed, again and again until they have left it.
/// One thread of the process watches all launches; one that ends in time wakes it at most once per limit.
class TimeLimit {
 public:
  TimeLimit(Job& job, std::chrono::seconds limit);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  Job& job_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
