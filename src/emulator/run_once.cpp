// SPDX-License-Identifier: MIT
#include "emulator/run_once.hpp"

#include <iterator>
#include <memory>
#include <optional>

#include <mylos/emulator/memory.hpp>

#include "emulator/atomics_gate.hpp"
#include "emulator/checker.hpp"
#include "emulator/job.hpp"
#include "emulator/registry.hpp"
#include "emulator/signals.hpp"
#include "emulator/time_limit.hpp"
#include "emulator/worker_pool.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Of a checked launch, one block runs at a time.
std::unique_ptr<Checker> checker_for(const Job& job, const Rerunning* rerunning) {
  if (!job.is_checked()) {
    Registry::instance().note_unwatched_writes();
    return nullptr;
  }
  return std::make_unique<Checker>(job, rerunning == nullptr ? nullptr : &rerunning->journal);
}

}  // namespace

std::vector<Finding> run_once(const Task& task, const Rerunning* rerunning) {
  Job job(task.module, task.kernel, task.launch, task.shared_bytes, task.options);
  std::vector<Finding> findings;
  {
    const HostAccess access;
    const auto checker = checker_for(job, rerunning);
    std::optional<Variants::Loan> variables;
    if (rerunning == nullptr) variables.emplace(task.variants, task.module);
    const KernelFaultHandlers handlers;
    const AtomicsGate gate(task.module, job.workers() == 1);
    {
      const TimeLimit limit(job, task.options.time_limit);
      WorkerPool::instance().run(job);
    }
    if (checker) findings = checker->findings();
    if (rerunning != nullptr) rerunning->at_end(*checker);
  }
  auto others = job.findings();
  findings.insert(findings.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  return findings;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
