// SPDX-License-Identifier: MIT
#include <mylos/emulator/options.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>

#include "base/setting.hpp"
#include "emulator/registry.hpp"

namespace mylos::inline MYLOS_ABI::emulator {
namespace {

constexpr std::uint32_t default_stack_bytes = std::uint32_t{256} << 10;
constexpr std::uint32_t smallest_stack = std::uint32_t{16} << 10;
constexpr std::uint32_t largest_stack = std::uint32_t{1} << 30;
constexpr unsigned most_threads = 1024;
constexpr unsigned most_orders = 1024;
constexpr unsigned default_orders = 4;
constexpr std::uint32_t most_seconds = 86400;
constexpr std::uint32_t default_time_limit = 600;
constexpr std::uint32_t default_checked_time_limit = 240;  // tests have little more, as a rule

constexpr std::array<std::pair<std::string_view, Check>, 5> check_names{{{"memory", Check::memory},
                                                                         {"race", Check::race},
                                                                         {"barrier", Check::barrier},
                                                                         {"initialisation", Check::initialisation},
                                                                         {"thread_order", Check::thread_order}}};

unsigned bit_of(Check check) { return 1U << static_cast<unsigned>(check); }

unsigned bits_of(const std::set<Check>& checks) {
  unsigned bits = 0;
  for (const Check check : checks) bits |= bit_of(check);
  return bits;
}

void validate_time(const char* name, std::chrono::seconds time) {
  if (time.count() >= 0 && time.count() <= most_seconds) return;
  throw ValueError(
      fmt::format("a {} of {} s was asked for: it is at least 1 s and at most {} s: ask for a time between", name,
                  time.count(), most_seconds));
}

void validate(const Options& options) {
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
  if (options.orders > most_orders) {
    throw ValueError(
        fmt::format("{} orders were asked for: a launch is run in each of them, and {} are the most: ask "
                    "for fewer",
                    options.orders, most_orders));
  }
  if (!(options.order_tolerance >= 0 && options.order_tolerance <= 1)) {
    throw ValueError(
        fmt::format("an order_tolerance of {} was asked for: it is a part of the larger result, from 0 to "
                    "1: ask for one between, 1e-12 for instance",
                    options.order_tolerance));
  }
  validate_time("patience", options.patience);
  validate_time("time_limit", options.time_limit);
}

// Processes of this one's MPI job on this machine, as Open MPI, MVAPICH, MPICH with Intel MPI, and Slurm tell; 1 where
// nobody does. Slurm has "4(x2),3" for nodes with different numbers.
unsigned ranks_on_this_machine() {
  for (const char* const name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                 "SLURM_STEP_TASKS_PER_NODE", "SLURM_NTASKS_PER_NODE"}) {
    const std::string text = environment::text(name).value_or("");
    unsigned ranks = 0;
    std::from_chars(text.data(), text.data() + text.size(), ranks);
    if (ranks != 0) return ranks;
  }
  return 1;
}

// A launcher that binds its processes to cores has divided them already.
unsigned threads_of_this_process() {
  cpu_set_t bound;
  const auto all = static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  const bool is_known = ::sched_getaffinity(0, sizeof bound, &bound) == 0;
  const unsigned cores = is_known ? static_cast<unsigned>(CPU_COUNT(&bound)) : all;
  return cores < all ? cores : cores / ranks_on_this_machine();
}

struct ChecksDefinition {
  using Value = std::uint32_t;  // a bit for each
  static Value initial() {
    std::set<Check> checks;
    for (const std::string& asked : environment::choices(
             "MYLOS_EMULATOR_CHECKS", {"memory", "race", "barrier", "initialisation", "thread_order", "all"})) {
      if (asked == "all") checks.merge(all_checks());
      for (const auto& [name, check] : check_names) {
        if (asked == name) checks.insert(check);
      }
    }
    return bits_of(checks);
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
    const char* const name = variable;
    return static_cast<Value>(environment::integer(name, 1, most_seconds).value_or(otherwise));
  }
};
constexpr const char* patience_variable = "MYLOS_EMULATOR_PATIENCE";
constexpr const char* time_limit_variable = "MYLOS_EMULATOR_TIME_LIMIT";
using Patience = mylos::detail::Setting<SecondsDefinition<patience_variable, 20>>;
using LaunchTime = mylos::detail::Setting<SecondsDefinition<time_limit_variable, 0>>;  // 0: nobody has said it

struct OrderSeedDefinition {
  using Value = std::uint64_t;
  static Value initial() {
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    return static_cast<Value>(environment::integer("MYLOS_EMULATOR_ORDER_SEED", 0, highest).value_or(0));
  }
};
using OrderSeed = mylos::detail::Setting<OrderSeedDefinition>;

struct OrdersDefinition {
  using Value = unsigned;
  static Value initial() {
    return static_cast<Value>(environment::integer("MYLOS_EMULATOR_ORDERS", 1, most_orders).value_or(default_orders));
  }
};
using Orders = mylos::detail::Setting<OrdersDefinition>;

struct OrderToleranceDefinition {
  using Value = double;
  static Value initial() { return environment::real("MYLOS_EMULATOR_ORDER_TOLERANCE", 0, 1).value_or(0); }
};
using OrderTolerance = mylos::detail::Setting<OrderToleranceDefinition>;

// A member that is not given is as the scope outside says.
template <class Setting, class Value>
std::optional<typename Setting::Value> enter(Value given) {
  return Setting::enter(given != 0 ? static_cast<typename Setting::Value>(given) : Setting::scoped());
}

}  // namespace

std::set<Check> all_checks() { return {Check::memory, Check::race, Check::barrier, Check::initialisation}; }

ScopedOptions::ScopedOptions(const Options& options) {
  validate(options);
  const std::uint32_t checks = bits_of(options.checks);
  if (checks != 0) detail::Registry::instance().start_checks();
  outer_checks_ = enter<Checks>(checks);
  outer_threads_ = enter<Threads>(options.threads);
  outer_stack_bytes_ = enter<StackBytes>(options.stack_bytes);
  outer_patience_ = enter<Patience>(options.patience.count());
  outer_time_limit_ = enter<LaunchTime>(options.time_limit.count());
  outer_order_seed_ = enter<OrderSeed>(options.order_seed);
  outer_orders_ = enter<Orders>(options.orders);
  outer_order_tolerance_ = enter<OrderTolerance>(options.order_tolerance);
}

ScopedOptions::~ScopedOptions() {
  OrderTolerance::leave(outer_order_tolerance_);
  Orders::leave(outer_orders_);
  OrderSeed::leave(outer_order_seed_);
  LaunchTime::leave(outer_time_limit_);
  Patience::leave(outer_patience_);
  StackBytes::leave(outer_stack_bytes_);
  Threads::leave(outer_threads_);
  Checks::leave(outer_checks_);
}

ScopedOptions with(const Options& options) { return ScopedOptions(options); }

std::set<Check> current_checks() {
  const std::uint32_t bits = Checks::get();
  std::set<Check> checks;
  for (const auto& [name, check] : check_names) {
    if ((bits & bit_of(check)) != 0) checks.insert(check);
  }
  return checks;
}

Options current_options() {
  const std::set<Check> checks = current_checks();
  const std::uint32_t said = LaunchTime::get();
  const std::uint32_t otherwise = checks.empty() ? default_time_limit : default_checked_time_limit;
  return {.checks = checks,
          .threads = Threads::get(),
          .order_seed = OrderSeed::get(),
          .stack_bytes = StackBytes::get(),
          .patience = std::chrono::seconds(Patience::get()),
          .time_limit = std::chrono::seconds(said != 0 ? said : otherwise),
          .orders = Orders::get(),
          .order_tolerance = OrderTolerance::get()};
}

}  // namespace mylos::inline MYLOS_ABI::emulator
