// SPDX-License-Identifier: MIT
// Seeds of tests with random input: new at every run, printed, and given again through MYLOS_TEST_SEED.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace mylos_test {

/// MYLOS_TEST_SEED when it is set, else a new number. Prints it, so that a failing run can be repeated.
inline std::uint64_t random_seed() {
  const char* given = std::getenv("MYLOS_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  std::printf("MYLOS_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

}  // namespace mylos_test
