// SPDX-License-Identifier: MIT
#include <mylos/emulator/options.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "emulator/support.hpp"

namespace mylos_test {
namespace {

using namespace std::chrono_literals;

using ::testing::HasSubstr;

TEST(Options, ScopesNestAndEnd) {
  const emulator::Options outside = emulator::current_options();
  EXPECT_GE(outside.threads, 1U);
  EXPECT_EQ(outside.stack_bytes, 256U * 1024);
  {
    const auto outer = emulator::with({.threads = 3});
    {
      const auto inner = emulator::with({.stack_bytes = 65536});
      EXPECT_EQ(emulator::current_options().threads, 3U);
      EXPECT_EQ(emulator::current_options().stack_bytes, 65536U);
      EXPECT_EQ(emulator::current_options().patience, 20s);
      const auto innermost = emulator::with({.patience = 3s, .time_limit = 4s});
      EXPECT_EQ(emulator::current_options().patience, 3s);
      EXPECT_EQ(emulator::current_options().time_limit, 4s);
    }
    EXPECT_EQ(emulator::current_options().stack_bytes, outside.stack_bytes);
  }
  {
    const auto outer = emulator::with({.order_seed = std::uint64_t{1} << 63, .orders = 2, .order_tolerance = 1e-6});
    const auto inner = emulator::with({.orders = 3});
    EXPECT_EQ(emulator::current_options().order_seed, std::uint64_t{1} << 63);
    EXPECT_EQ(emulator::current_options().orders, 3U);
    EXPECT_EQ(emulator::current_options().order_tolerance, 1e-6);
  }
  EXPECT_EQ(emulator::current_options().order_seed, 0U);
  EXPECT_EQ(emulator::current_options().orders, 4U);
  EXPECT_EQ(emulator::current_options().threads, outside.threads);
  EXPECT_EQ(emulator::current_options().time_limit, 600s);
  const auto checked = emulator::with({.checks = {emulator::Check::race}});
  EXPECT_EQ(emulator::current_options().time_limit, 240s);
  const auto longer = emulator::with({.time_limit = 1000s});
  EXPECT_EQ(emulator::current_options().time_limit, 1000s);
}

TEST(Options, ScopesBelongToTheirThread) {
  const auto scope = emulator::with({.threads = 7});
  unsigned seen = 0;
  std::thread([&seen] { seen = emulator::current_options().threads; }).join();
  EXPECT_NE(seen, 7U);
}

TEST(Options, WhatCannotBeIsRefused) {
  const auto message = [](const emulator::Options& options) {
    return std::string(error_of<mylos::ValueError>([&] { (void)emulator::with(options); })->what());
  };
  EXPECT_THAT(message({.orders = 2000}), HasSubstr("2000 orders"));
  EXPECT_THAT(message({.order_tolerance = -1}), HasSubstr("an order_tolerance of -1"));
  EXPECT_THAT(message({.order_tolerance = std::nan("")}), HasSubstr("an order_tolerance of nan"));
  EXPECT_THAT(message({.threads = 100000}), HasSubstr("100000 threads"));
  EXPECT_THAT(message({.stack_bytes = 100}), HasSubstr("stacks of 100 bytes"));
  EXPECT_THAT(message({.patience = -1s}), HasSubstr("a patience of -1 s"));
  EXPECT_THAT(message({.time_limit = 100000s}), HasSubstr("a time_limit of 100000 s"));
}

using OptionsDeathTest = ::testing::Test;

int options_with(const char* name, const char* value) {
  ::setenv(name, value, 1);
  try {
    return static_cast<int>(emulator::current_options().threads);
  } catch (const mylos::ValueError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 200;
  }
}

// The environment is read at the first use in a process.
TEST(OptionsDeathTest, TheEnvironmentGivesDefaults) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(options_with("MYLOS_EMULATOR_THREADS", "5")), ::testing::ExitedWithCode(5), "");
  EXPECT_EXIT(std::_Exit(options_with("MYLOS_EMULATOR_THREADS", "none")), ::testing::ExitedWithCode(200),
              "MYLOS_EMULATOR_THREADS is 'none'");
  const auto checks_with = [](const char* value) {
    ::setenv("MYLOS_EMULATOR_CHECKS", value, 1);
    return static_cast<int>(emulator::current_options().checks.size());
  };
  EXPECT_EXIT(std::_Exit(checks_with("race,memory")), ::testing::ExitedWithCode(2), "");
  EXPECT_EXIT(std::_Exit(checks_with("all")), ::testing::ExitedWithCode(4), "");
  EXPECT_EXIT(std::_Exit(checks_with("all,thread_order")), ::testing::ExitedWithCode(5), "");
  const auto order_with = [](const char* name, const char* value) {
    ::setenv(name, value, 1);
    const emulator::Options options = emulator::current_options();
    return static_cast<int>(options.order_seed + 10 * options.orders + static_cast<int>(options.order_tolerance * 200));
  };
  EXPECT_EXIT(std::_Exit(order_with("MYLOS_EMULATOR_ORDER_SEED", "7")), ::testing::ExitedWithCode(47), "");
  EXPECT_EXIT(std::_Exit(order_with("MYLOS_EMULATOR_ORDERS", "9")), ::testing::ExitedWithCode(90), "");
  EXPECT_EXIT(std::_Exit(order_with("MYLOS_EMULATOR_ORDER_TOLERANCE", "5e-1")), ::testing::ExitedWithCode(140), "");
  EXPECT_EXIT(std::_Exit(options_with("MYLOS_EMULATOR_ORDER_SEED", "-1")), ::testing::ExitedWithCode(200),
              "MYLOS_EMULATOR_ORDER_SEED is '-1'");
  EXPECT_EXIT(std::_Exit(options_with("MYLOS_EMULATOR_ORDER_TOLERANCE", "2")), ::testing::ExitedWithCode(200),
              "a number from 0 to 1");
  EXPECT_EXIT(std::_Exit(options_with("MYLOS_EMULATOR_CHECKS", "rase")), ::testing::ExitedWithCode(200),
              "MYLOS_EMULATOR_CHECKS is 'rase'");
  EXPECT_EXIT(std::_Exit(options_with("MYLOS_EMULATOR_PATIENCE", "0")), ::testing::ExitedWithCode(200),
              "MYLOS_EMULATOR_PATIENCE");
  EXPECT_EXIT(std::_Exit(options_with("MYLOS_EMULATOR_TIME_LIMIT", "soon")), ::testing::ExitedWithCode(200),
              "MYLOS_EMULATOR_TIME_LIMIT is 'soon'");
}

constexpr const char* of_mpi_launchers[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE",
                                            "MPI_LOCALNRANKS", "SLURM_STEP_TASKS_PER_NODE", "SLURM_NTASKS_PER_NODE"};

// Of a process on so many of the machine's cores (0: as it is), with one of the variables.
int threads_on(int cores, const char* name, const char* value) {
  for (const char* const other : of_mpi_launchers) ::unsetenv(other);
  ::unsetenv("MYLOS_EMULATOR_THREADS");
  cpu_set_t mine, kept;
  ::sched_getaffinity(0, sizeof mine, &mine);
  CPU_ZERO(&kept);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&kept) < cores; ++core) {
    if (CPU_ISSET(core, &mine)) CPU_SET(core, &kept);
  }
  if (cores != 0) ::sched_setaffinity(0, sizeof kept, &kept);
  return options_with(name, value);
}

TEST(OptionsDeathTest, CoresAreSharedAmongTheProcessesOfAnMpiJob) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  cpu_set_t mine;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
  const int cores = CPU_COUNT(&mine);
  if (cores < ::sysconf(_SC_NPROCESSORS_ONLN) || cores > 255) GTEST_SKIP() << "this process has other cores than most";
  const int half = std::max(1, cores / 2);
  EXPECT_EXIT(std::_Exit(threads_on(0, "MPI_LOCALNRANKS", "1")), ::testing::ExitedWithCode(cores), "");
  for (const char* const name : of_mpi_launchers) {
    EXPECT_EXIT(std::_Exit(threads_on(0, name, "2")), ::testing::ExitedWithCode(half), "") << name;
  }
  EXPECT_EXIT(std::_Exit(threads_on(0, "SLURM_STEP_TASKS_PER_NODE", "2(x3),1")), ::testing::ExitedWithCode(half), "");
  EXPECT_EXIT(std::_Exit(threads_on(0, "MPI_LOCALNRANKS", "100000")), ::testing::ExitedWithCode(1), "");
  EXPECT_EXIT(std::_Exit(threads_on(0, "MPI_LOCALNRANKS", "many")), ::testing::ExitedWithCode(cores), "");
  if (cores < 3) return;  // of fewer, one is all that less than all can be
  EXPECT_EXIT(std::_Exit(threads_on(2, "OMPI_COMM_WORLD_LOCAL_SIZE", "2")), ::testing::ExitedWithCode(2), "")
      << "the launcher has divided them";
}

}  // namespace
}  // namespace mylos_test
