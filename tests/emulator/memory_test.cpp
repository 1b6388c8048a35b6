// SPDX-License-Identifier: MIT
#include <mylos/emulator/memory.hpp>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/options.hpp>

#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

namespace emulator = mylos::emulator;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Memory : public ::testing::Test {
 protected:
  void SetUp() override { emulator::release_all(); }
  void TearDown() override { EXPECT_EQ(emulator::release_all(), 0U); }
};

TEST_F(Memory, AllocationsAreAlignedApartAndFoundByEveryAddressInThem) {
  char* const first = static_cast<char*>(emulator::allocate(100, "first"));
  char* const second = static_cast<char*>(emulator::allocate(64, "second"));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % 256, 0U);
  const auto found = emulator::find(first + 99);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->base, first);
  EXPECT_EQ(found->bytes, 100U);
  EXPECT_EQ(found->label, "first");
  // The guard zones belong to the device, but to no allocation.
  for (const char* address : {first - 1, first + 100, first + 355, second - 1, second + 64, second + 319}) {
    EXPECT_TRUE(emulator::owns(address));
    EXPECT_FALSE(emulator::find(address));
  }
  emulator::deallocate(first);
  EXPECT_FALSE(emulator::find(first));
  EXPECT_TRUE(emulator::owns(first));
  emulator::deallocate(second);
}

TEST_F(Memory, HostAddressesAreNotOwned) {
  int on_stack = 0;
  EXPECT_FALSE(emulator::owns(&on_stack));
  EXPECT_FALSE(emulator::owns(nullptr));
  EXPECT_FALSE(emulator::find(&on_stack));
}

TEST_F(Memory, EmptyAllocationsAreDistinctAndFindable) {
  void* const first = emulator::allocate(0, "nothing");
  void* const second = emulator::allocate(0, "nothing too");
  EXPECT_NE(first, second);
  ASSERT_TRUE(emulator::find(first));
  EXPECT_EQ(emulator::find(first)->bytes, 0U);
  emulator::deallocate(first);
  emulator::deallocate(second);
  emulator::deallocate(nullptr);
}

TEST_F(Memory, UsageCountsBytesAndRemembersTheMost) {
  const auto before = emulator::memory_usage();
  void* const a = emulator::allocate(1000, "a");
  void* const b = emulator::allocate(3000, "b");
  EXPECT_EQ(emulator::memory_usage().in_use, before.in_use + 4000);
  EXPECT_EQ(emulator::memory_usage().count, before.count + 2);
  emulator::deallocate(a);
  emulator::deallocate(b);
  EXPECT_EQ(emulator::memory_usage().in_use, before.in_use);
  EXPECT_GE(emulator::memory_usage().high_water, before.in_use + 4000);
}

TEST_F(Memory, FreeingTwiceOrInsideIsAnError) {
  char* const block = static_cast<char*>(emulator::allocate(512, "block"));
  EXPECT_THROW(emulator::deallocate(block + 256), mylos::ValueError);
  emulator::deallocate(block);
  EXPECT_THROW(emulator::deallocate(block), mylos::ValueError);
  int on_host = 0;
  EXPECT_THROW(emulator::deallocate(&on_host), mylos::ValueError);
}

TEST_F(Memory, TooLargeRequestsSayWhatWasAskedAndUsed) {
  void* const small = emulator::allocate(128, "small");
  const std::size_t huge = std::size_t{1} << 50;
  try {
    emulator::allocate(huge, "huge");
    FAIL() << "no error";
  } catch (const emulator::OutOfMemory& error) {
    EXPECT_THAT(error.what(), HasSubstr("1125899906842624 bytes for 'huge'"));
    EXPECT_THAT(error.what(), HasSubstr(": 128 of "));
  }
  EXPECT_THROW(emulator::allocate(SIZE_MAX, "overflow"), emulator::OutOfMemory);
  emulator::deallocate(small);
}

TEST_F(Memory, FreedAddressesRestBeforeTheyAreReused) {
  void* const freed = emulator::allocate(4096, "freed");
  emulator::deallocate(freed);
  for (int i = 0; i < 100; ++i) {
    void* const other = emulator::allocate(4096, "other");
    EXPECT_NE(other, freed);
    emulator::deallocate(other);
  }
}

TEST_F(Memory, ManyLargeTemporariesUseFewAddresses) {
  std::uintptr_t lowest = UINTPTR_MAX;
  std::uintptr_t highest = 0;
  constexpr std::size_t bytes = std::size_t{64} << 20;
  for (int i = 0; i < 200; ++i) {
    void* const temporary = emulator::allocate(bytes, "temporary");
    lowest = std::min(lowest, reinterpret_cast<std::uintptr_t>(temporary));
    highest = std::max(highest, reinterpret_cast<std::uintptr_t>(temporary));
    emulator::deallocate(temporary);
  }
  EXPECT_LT(highest - lowest, std::size_t{1} << 30);
}

TEST_F(Memory, FreedPagesOfLargeAllocationsReadAsZeroWhenUsedAgain) {
  constexpr std::size_t bytes = std::size_t{200} << 20;
  const emulator::HostAccess access;
  for (int i = 0; i < 4; ++i) {
    char* const block = static_cast<char*>(emulator::allocate(bytes, "block"));
    EXPECT_EQ(block[bytes / 2], 0);
    block[bytes / 2] = 1;
    emulator::deallocate(block);
  }
}

// Random allocations and frees against a plain map: live blocks never overlap and are always found.
TEST_F(Memory, RandomUseKeepsBlocksApart) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::map<char*, std::size_t> live;
  for (int step = 0; step < 4000; ++step) {
    if (live.empty() || random() % 5 < 3) {
      const std::size_t bytes = random() % (random() % 8 == 0 ? 3000000 : 3000);
      live[static_cast<char*>(emulator::allocate(bytes, std::to_string(bytes)))] = bytes;
    } else {
      const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
      emulator::deallocate(victim->first);
      live.erase(victim);
    }
  }
  const char* end = nullptr;
  for (const auto& [base, bytes] : live) {
    ASSERT_GE(base, end + (end == nullptr ? 0 : 256));
    ASSERT_TRUE(emulator::find(base));
    ASSERT_EQ(emulator::find(base)->label, std::to_string(bytes));
    end = base + bytes;
  }
  EXPECT_EQ(emulator::memory_usage().count, live.size());
  EXPECT_EQ(emulator::release_all(), live.size());
  EXPECT_EQ(emulator::memory_usage().in_use, 0U);
}

TEST_F(Memory, WhatIsNeverFreedIsTold) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "findings.jsonl";
  const ScopedVariable variable("MYLOS_EMULATOR_REPORT", file.c_str());
  std::string warnings;
  const auto before = mylos::log::set_sink([&](mylos::log::Level, std::string_view text) { warnings += text; });
  EXPECT_EQ(emulator::report_leaks(), 0U);
  EXPECT_FALSE(std::filesystem::exists(file));
  emulator::deallocate(emulator::allocate(8, "freed"));
  void* const lost = emulator::allocate(800, "lost");
  void* const found = emulator::allocate(80, "found");
  EXPECT_EQ(emulator::live_allocations().size(), 2U);
  const auto live = emulator::live_allocations();
  EXPECT_NE(std::ranges::find(live, lost, &emulator::Allocation::base), live.end());
  EXPECT_EQ(emulator::report_leaks(), 2U);
  mylos::log::set_sink(before);
  EXPECT_THAT(warnings, HasSubstr("2 allocations of the emulated device (880 bytes) were never freed: "));
  EXPECT_THAT(warnings, AllOf(HasSubstr("'lost' (800 bytes)"), HasSubstr("'found' (80 bytes)")));
  const std::string lines = mylos::read_file(file);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2);
  EXPECT_THAT(lines, HasSubstr(R"|({"kind":"memory","kernel":"(host)","sites":[],"label":"lost","text":")|"));
  EXPECT_THAT(lines, HasSubstr("View 'lost' (800 bytes) was never freed"));
  emulator::deallocate(lost);
  emulator::deallocate(found);
}

TEST_F(Memory, WhatAKernelNeverFreedIsNoView) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "findings.jsonl";
  const ScopedVariable variable("MYLOS_EMULATOR_REPORT", file.c_str());
  const auto make = emulator::compile({.text = "__device__ double* kept;\n"
                                               "extern \"C\" __global__ void k() { kept = new double(1); }",
                                       .name = "k"});
  void* const arguments[] = {nullptr};
  {
    const auto scope = emulator::with({.checks = {emulator::Check::memory}});
    emulator::launch(*make, {}, arguments);
  }
  EXPECT_EQ(emulator::report_leaks(), 1U);
  const std::string lines = mylos::read_file(file);
  EXPECT_THAT(lines, HasSubstr("8 bytes that a kernel allocated by malloc or new were never freed"));
  EXPECT_THAT(lines, ::testing::Not(HasSubstr("View")));
  emulator::release_all();
}

TEST_F(Memory, HostAccessNestsAndCoversAllocationsMadeMeanwhile) {
  const emulator::HostAccess outer;
  auto* const early = static_cast<double*>(emulator::allocate(80, "early"));
  {
    const emulator::HostAccess inner;
    early[9] = 1.5;
  }
  auto* const late = static_cast<double*>(emulator::allocate(std::size_t{16} << 20, "late"));
  late[(std::size_t{2} << 20) - 1] = 2.5;
  EXPECT_EQ(early[9], 1.5);
  emulator::deallocate(early);
  emulator::deallocate(late);
}

TEST_F(Memory, HostAccessFromManyThreads) {
  auto* const data = static_cast<int*>(emulator::allocate(8 * 1024 * sizeof(int), "data"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([data, t] {
      for (int i = 0; i < 1024; ++i) {
        const emulator::HostAccess access;
        data[t * 1024 + i] = i;
        const emulator::HostAccess nested;
        data[t * 1024 + i] += t;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const emulator::HostAccess access;
  for (int i = 0; i < 8 * 1024; ++i) ASSERT_EQ(data[i], i % 1024 + i / 1024);
  emulator::deallocate(data);
}

using MemoryDeathTest = Memory;

TEST_F(MemoryDeathTest, ClosedMemoryTraps) {
  auto* const data = static_cast<volatile int*>(emulator::allocate(64, "closed"));
  {
    const emulator::HostAccess access;
    data[0] = 1;
  }
  EXPECT_DEATH(data[0] = 2, "");
  emulator::deallocate(const_cast<int*>(data));
}

int read_closed_memory_strictly(const char* label) {
  ::setenv("MYLOS_EMULATOR_STRICT", "1", 1);
  return static_cast<volatile int*>(emulator::allocate(64, label))[3];
}

TEST_F(MemoryDeathTest, StrictModeNamesTheAllocation) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the variable is read at the process' first allocation
  EXPECT_DEATH(read_closed_memory_strictly("pressure"), "'pressure' \\(64 bytes\\), byte 12.*host_call");
}

TEST_F(MemoryDeathTest, StrictModeCallsTheHandlerBefore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { std::_Exit(17); });
        read_closed_memory_strictly("chained");
      },
      ::testing::ExitedWithCode(17), "'chained'");
}

}  // namespace
}  // namespace mylos_test
