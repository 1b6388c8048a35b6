// SPDX-License-Identifier: MIT
// Rivals timed in turns, in one run: what disturbs the machine disturbs all of them, and the minima are compared.
#pragma once

#include <algorithm>
#include <chrono>
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

/// Smallest seconds of one call of each rival: one call to warm up, then `rounds` calls of each in turns. Everything
/// that was queued is waited for inside of the measured time.
inline std::vector<double> smallest_seconds(const Row& row, int rounds) {
  const auto timed = [](const Rival& rival) {
    const auto start = std::chrono::steady_clock::now();
    rival.run();
    Kokkos::fence();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (const Rival& rival : row.rivals) (void)timed(rival);
  std::vector<double> smallest(row.rivals.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < row.rivals.size(); ++i) smallest[i] = std::min(smallest[i], timed(row.rivals[i]));
  }
  return smallest;
}

}  // namespace mylos_perf
