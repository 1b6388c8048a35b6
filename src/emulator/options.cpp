// SPDX-License-Identifier: MIT
#include <mylos/emulator/options.hpp>

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>

#include "base/setting.hpp"

namespace mylos::inline MYLOS_ABI::emulator {
namespace {

constexpr std::uint32_t default_stack_bytes = std::uint32_t{256} << 10;
constexpr std::uint32_t smallest_stack = std::uint32_t{16} << 10;
constexpr std::uint32_t largest_stack = std::uint32_t{1} << 30;
constexpr unsigned most_threads = 1024;
constexpr std::uint32_t most_seconds = 86400;

[[noreturn]] void refuse_checks() {
  throw ValueError(
      "checks of kernels were asked for: this version of the emulator runs them without checks: leave "
      "Options::checks empty and MYLOS_EMULATOR_CHECKS unset");
}

void validate_time(const char* name, std::chrono::seconds time) {
  if (time.count() >= 0 && time.count() <= most_seconds) return;
  throw ValueError(
      fmt::format("a {} of {} s was asked for: it is at least 1 s and at most {} s: ask for a time between", name,
                  time.count(), most_seconds));
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
  validate_time("patience", options.patience);
  validate_time("time_limit", options.time_limit);
}

unsigned threads_of_this_process() {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<unsigned>(CPU_COUNT(&cores));
  return std::thread::hardware_concurrency();
}

struct ChecksDefinition {
  using Value = bool;  // whether there are any
  static Value initial() {
    const auto asked = environment::choices("MYLOS_EMULATOR_CHECKS",
                                            {"memory", "race", "barrier", "initialisation", "thread_order", "all"});
    if (!asked.empty()) refuse_checks();
    return false;
  }
};
using Checks = mylos::detail::Setting<ChecksDefinition>;

struct ThreadsDefinition {
  using Value = unsigned;
  static Value initial() {
    const auto threads = environment::integer("MYLOS_EMULATOR_THREADS", 1, most_threads);
    return static_cast<Value>(threads.value_or(std::clamp(threads_of_this_process(), 1U, most_threads)));
  }
};
using Threads = mylos::detail::Setting<ThreadsDefinition>;

struct StackDefinition {
  using Value = std::uint32_t;
  static Value initial() { return default_stack_bytes; }
};
using StackBytes = mylos::detail::Setting<StackDefinition>;

template <const char* const& variable, std::uint32_t otherwise>
struct SecondsDefinition {
  using Value = std::uint32_t;
  static Value initial() {
    return static_cast<Value>(environment::integer(variable, 1, most_seconds).value_or(otherwise));
  }
};
constexpr const char* patience_variable = "MYLOS_EMULATOR_PATIENCE";
constexpr const char* time_limit_variable = "MYLOS_EMULATOR_TIME_LIMIT";
using Patience = mylos::detail::Setting<SecondsDefinition<patience_variable, 20>>;
using LaunchTime = mylos::detail::Setting<SecondsDefinition<time_limit_variable, 600>>;

// A member that is not given is as the scope outside says.
template <class Setting, class Value>
std::optional<typename Setting::Value> enter(Value given) {
  return Setting::enter(given != 0 ? static_cast<typename Setting::Value>(given) : Setting::scoped());
}

}  // namespace

ScopedOptions::ScopedOptions(const Options& options) {
  validate(options);
  outer_threads_ = enter<Threads>(options.threads);
  outer_stack_bytes_ = enter<StackBytes>(options.stack_bytes);
  outer_patience_ = enter<Patience>(options.patience.count());
  outer_time_limit_ = enter<LaunchTime>(options.time_limit.count());
}

ScopedOptions::~ScopedOptions() {
  LaunchTime::leave(outer_time_limit_);
  Patience::leave(outer_patience_);
  StackBytes::leave(outer_stack_bytes_);
  Threads::leave(outer_threads_);
}

ScopedOptions with(Options options) { return ScopedOptions(options); }

Options current_options() {
  static_cast<void>(Checks::get());
  return {.threads = Threads::get(),
          .stack_bytes = StackBytes::get(),
          .patience = std::chrono::seconds(Patience::get()),
          .time_limit = std::chrono::seconds(LaunchTime::get())};
}

}  // namespace mylos::inline MYLOS_ABI::emulator
