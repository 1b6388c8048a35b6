// SPDX-License-Identifier: MIT
#include <mylos/kernel/compile_all.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/detail/engine.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/kernel/debug.hpp>

#include "jit/nvrtc_process.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// What is compiled for has to be there, which BackendError tells once; and it is this thread's settings that choose the
// device, not those of the threads that compile.
void require_compiler(const std::string& architecture) {
  if (!architecture.empty())
    static_cast<void>(jit::NvrtcCompiler());
  else
    static_cast<void>(engine());
}

void compile(CompileTask& task, const std::string& architecture) {
  if (!task.kernel) return;
  try {
    static_cast<void>(task.kernel->compile(architecture));
  } catch (const std::exception& error) {
    task.problem = error.what();
  }
}

}  // namespace

int compile_together(std::string_view who, std::vector<CompileTask> tasks, const CompileAll& options) {
  if (options.jobs < 1) {
    throw ValueError(
        fmt::format("{}: compile_all with {} jobs: at least one is needed: give jobs = 1 or more", who, options.jobs));
  }
  if (!tasks.empty()) require_compiler(options.arch);
  std::atomic<std::size_t> next = 0;
  const bool debugging = debug();  // a setting of this thread
  const auto work = [&] {
    const ScopedDebug scope(debugging);
    for (std::size_t i = next++; i < tasks.size(); i = next++) compile(tasks[i], options.arch);
  };
  {
    const std::size_t threads = std::min(tasks.size(), static_cast<std::size_t>(options.jobs));
    std::vector<std::jthread> others(threads - std::min<std::size_t>(threads, 1));
    for (std::jthread& thread : others) {
      thread = std::jthread([&] {
        const jit::detail::ScopedNvrtcProcess process;  // NVRTC compiles one kernel at a time in each
        work();
      });
    }
    work();
  }
  std::string problems;
  for (const CompileTask& task : tasks) {
    if (!task.problem.empty()) problems += fmt::format("\n{}: {}", task.name, task.problem);
  }
  if (!problems.empty()) {
    throw CompileError(
        fmt::format("{}: kernels that do not compile: they cannot be launched: change them{}", who, problems),
        problems);
  }
  return static_cast<int>(tasks.size());
}

}  // namespace mylos::inline MYLOS_ABI::detail
