// SPDX-License-Identifier: MIT
// Rivals timed in turns, in one run: what disturbs the machine disturbs all of them, and the minima are compared.
#pragma once

#include <time.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>

namespace mylos_perf {

/// One way to do the work of a row.
struct Rival {
  std::string name;
  std::function<void()> run;
};

/// A piece of work, done by several rivals; the first is what the others are compared with.
struct Row {
  std::string name;
  double units = 1.0;  ///< how many of `unit` one call of run() does
  std::string unit;
  std::vector<Rival> rivals;
};

/// CPU time of this process in seconds: what other processes take does not count. Rivals run on one thread.
inline double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Smallest seconds of one call of each rival: one call to warm up, then `rounds` calls of each in turns. Everything
/// that was queued is waited for inside of the measured time.
inline std::vector<double> smallest_seconds(const Row& row, int rounds) {
  const auto timed = [](const Rival& rival) {
    const double start = cpu_seconds();
    rival.run();
    Kokkos::fence();
    return cpu_seconds() - start;
  };
  for (const Rival& rival : row.rivals) (void)timed(rival);
  std::vector<double> smallest(row.rivals.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < row.rivals.size(); ++i) smallest[i] = std::min(smallest[i], timed(row.rivals[i]));
  }
  return smallest;
}

}  // namespace mylos_perf
