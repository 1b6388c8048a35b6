// SPDX-License-Identifier: MIT
// How the emulator runs kernels: scoped settings over the environment variables MYLOS_EMULATOR_*.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator {

/// Faults that a checked run reports. A launch with any of them runs one block at a time, and many times slower.
enum class Check {
  memory,          ///< accesses out of bounds, to freed memory, misaligned ones
  race,            ///< accesses of two threads to the same memory that nothing orders, not both atomic, one a write
  barrier,         ///< threads of a block at different barriers; found without asking, too
  initialisation,  ///< reads of device or shared memory that nobody wrote
  /// Results that depend on the order of threads: a launch is run in several orders, each time from the same memory.
  /// Correct kernels may have such: sums of floating-point numbers by atomics, lists that threads append to.
  thread_order
};

/// Zero and empty mean: as the scope outside says, then the environment variable, then the default.
struct Options {
  /// MYLOS_EMULATOR_CHECKS=memory,race,barrier,initialisation,thread_order; `all` is what all_checks() returns.
  std::set<Check> checks = {};
  /// OS threads that run blocks; MYLOS_EMULATOR_THREADS, default: the cores that this process is bound to, else its
  /// share of the machine's among the processes that an MPI launcher says are on it. With one, atomics are plain
  /// additions, and results do not depend on timing. Blocks that meet at barriers of the grid have one each.
  unsigned threads = 0;
  /// In which order blocks run, threads of a block start, and those go on that a barrier or warp operation lets go:
  /// 0 increasing, 1 decreasing, any other number an order of its own, the same at each launch with one OS thread or
  /// checks. MYLOS_EMULATOR_ORDER_SEED. As zero means as outside, a scope inside of one with another seed, or where the
  /// variable is set, cannot ask for increasing order. Checked threads also take turns before atomic accesses, from 2
  /// on. Loops that the compiler vectorises (unchecked kernels whose threads never meet) keep
  /// the order within a block. Any but 0 makes starts and barriers several times slower.
  std::uint64_t order_seed = 0;
  /// Stack of each CUDA thread that waits at a barrier; default 256 KiB, of which only what is touched takes memory.
  std::size_t stack_bytes = 0;
  /// How long threads of a launch may wait for each other through atomics without one of them getting on;
  /// MYLOS_EMULATOR_PATIENCE in seconds, default 20. A checked launch ends at once when it is certain that none will.
  std::chrono::seconds patience = {};
  /// How long a launch may take; MYLOS_EMULATOR_TIME_LIMIT in seconds, default 600, of checked launches 240. One whose
  /// loops never end is ended by this.
  std::chrono::seconds time_limit = {};
  /// In how many further orders Check::thread_order runs a launch, order_seed + 1 and so on; MYLOS_EMULATOR_ORDERS,
  /// default 4.
  unsigned orders = 0;
  /// By how much floating-point results may differ between orders, relative to the larger one, where an argument of the
  /// kernel declares the elements as float or double;
  /// MYLOS_EMULATOR_ORDER_TOLERANCE, default 0: not by a bit.
  double order_tolerance = 0;
};

/// Options hold in the thread that made this, until its end. Scopes nest and end in reverse order.
class MYLOS_EXPORT ScopedOptions {
 public:
  /// Throws ValueError for stacks under 16 KiB or over 1 GiB, times that are negative or longer than a day, more than
  /// 1024 threads or orders, and a tolerance that is not from 0 to 1.
  [[nodiscard]] explicit ScopedOptions(const Options& options);
  ~ScopedOptions();
  ScopedOptions(const ScopedOptions&) = delete;
  ScopedOptions& operator=(const ScopedOptions&) = delete;

 private:
  std::optional<std::uint32_t> outer_checks_;
  std::optional<unsigned> outer_threads_;
  std::optional<std::uint32_t> outer_stack_bytes_;
  std::optional<std::uint32_t> outer_patience_;
  std::optional<std::uint32_t> outer_time_limit_;
  std::optional<std::uint64_t> outer_order_seed_;
  std::optional<unsigned> outer_orders_;
  std::optional<double> outer_order_tolerance_;
};

/// `const auto scope = emulator::with({.threads = 1});`
[[nodiscard]] MYLOS_EXPORT ScopedOptions with(const Options& options);

/// All checks for faults: not Check::thread_order, which correct kernels fail as well, and which is asked for by name.
[[nodiscard]] MYLOS_EXPORT std::set<Check> all_checks();

/// What holds in this thread now, every member resolved. Throws ValueError for a bad environment variable.
[[nodiscard]] MYLOS_EXPORT Options current_options();
/// Its member `checks` alone.
[[nodiscard]] MYLOS_EXPORT std::set<Check> current_checks();

}  // namespace mylos::inline MYLOS_ABI::emulator
