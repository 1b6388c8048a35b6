// SPDX-License-Identifier: MIT
#include <mylos/emulator/options.hpp>

#include <sched.h>

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::emulator {
namespace {

constexpr std::size_t default_stack_bytes = std::size_t{256} << 10;
constexpr std::size_t smallest_stack = std::size_t{16} << 10;
constexpr std::size_t largest_stack = std::size_t{1} << 30;
constexpr unsigned most_threads = 1024;

thread_local Options scoped;

[[noreturn]] void refuse_checks() {
  throw ValueError(
      "checks of kernels were asked for: this version of the emulator runs them without checks: leave "
      "Options::checks empty and MYLOS_EMULATOR_CHECKS unset");
}

void validate(const Options& options) {
  if (!options.checks.empty()) refuse_checks();
  if (options.order_seed != 0) {
    throw ValueError(
        fmt::format("order_seed {} was asked for: this version of the emulator runs threads in increasing "
                    "order only: leave it 0",
                    options.order_seed));
  }
  if (options.threads > most_threads) {
    throw ValueError(fmt::format("{} threads were asked for: the emulator uses at most {} OS threads: ask for fewer",
                                 options.threads, most_threads));
  }
  if (options.stack_bytes != 0 && (options.stack_bytes < smallest_stack || options.stack_bytes > largest_stack)) {
    throw ValueError(
        fmt::format("stacks of {} bytes were asked for: kernels need at least {}, and {} is the most: ask "
                    "for a size between",
                    options.stack_bytes, smallest_stack, largest_stack));
  }
}

unsigned threads_of_this_process() {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<unsigned>(CPU_COUNT(&cores));
  return std::thread::hardware_concurrency();
}

// What the process starts with: read once, a bad value is an error every time.
const Options& defaults() {
  static const Options options = [] {
    if (!environment::choices("MYLOS_EMULATOR_CHECKS",
                              {"memory", "race", "barrier", "initialisation", "thread_order", "all"})
             .empty()) {
      refuse_checks();
    }
    const auto threads = environment::integer("MYLOS_EMULATOR_THREADS", 1, most_threads);
    return Options{
        .threads = static_cast<unsigned>(threads.value_or(std::clamp(threads_of_this_process(), 1U, most_threads))),
        .stack_bytes = default_stack_bytes};
  }();
  return options;
}

}  // namespace

ScopedOptions::ScopedOptions(const Options& options) : outside_(scoped) {
  validate(options);
  if (options.threads != 0) scoped.threads = options.threads;
  if (options.stack_bytes != 0) scoped.stack_bytes = options.stack_bytes;
}

ScopedOptions::~ScopedOptions() { scoped = std::move(outside_); }

ScopedOptions with(Options options) { return ScopedOptions(options); }

Options current_options() {
  Options options = defaults();
  if (scoped.threads != 0) options.threads = scoped.threads;
  if (scoped.stack_bytes != 0) options.stack_bytes = scoped.stack_bytes;
  return options;
}

}  // namespace mylos::inline MYLOS_ABI::emulator
