// SPDX-License-Identifier: MIT
#include <mylos/base/log.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/scoped_variable.hpp"

namespace mylos_test {
namespace {

namespace log = mylos::log;

// Collects what is logged; stderr and the default level come back afterwards.
class Collected {
 public:
  Collected() {
    log::set_sink([this](log::Level level, std::string_view text) {
      lines.push_back(std::to_string(static_cast<int>(level)) + " " + std::string(text));
    });
  }
  Collected(const Collected&) = delete;
  Collected& operator=(const Collected&) = delete;
  ~Collected() {
    log::set_sink({});
    log::set_level(log::Level::warning);
  }

  std::vector<std::string> lines;
};

void log_all() {
  log::debug("d");
  log::info("i");
  log::warning("w");
  log::error("e");
}

// What a new process with this MYLOS_LOG prints.
std::string printed_with(const char* level) {
  ::testing::internal::CaptureStderr();
  const ScopedVariable variable("MYLOS_LOG", level);
  EXPECT_EQ(Child(log_all).wait(), 0);
  return ::testing::internal::GetCapturedStderr();
}

TEST(Log, EnvironmentSetsTheLevel) {
  // First in this file: the process has not read MYLOS_LOG yet, so each child reads its own.
  EXPECT_EQ(printed_with(nullptr), "mylos: warning: w\nmylos: error: e\n");
  EXPECT_EQ(printed_with("debug"), "mylos: debug: d\nmylos: info: i\nmylos: warning: w\nmylos: error: e\n");
  EXPECT_EQ(printed_with("error"), "mylos: error: e\n");
  EXPECT_EQ(printed_with("off"), "");
}

TEST(Log, BadEnvironmentIsToldOnce) {
  const std::string text = printed_with("loud");
  EXPECT_TRUE(contains(text, {"MYLOS_LOG", "'loud'", "debug, info, warning, error, off", "mylos: warning: w"}));
  EXPECT_EQ(text.find("MYLOS_LOG"), text.rfind("MYLOS_LOG"));
}

TEST(Log, LevelIsAThreshold) {
  Collected collected;
  log::set_level(log::Level::info);
  EXPECT_FALSE(log::enabled(log::Level::debug));
  EXPECT_TRUE(log::enabled(log::Level::info));
  log_all();
  EXPECT_EQ(collected.lines, (std::vector<std::string>{"1 i", "2 w", "3 e"}));
  log::set_level(log::Level::off);
  log_all();
  EXPECT_EQ(collected.lines.size(), 3U);
}

TEST(Log, ReplacedSinkIsReturned) {
  Collected collected;
  log::Sink before = log::set_sink([](log::Level, std::string_view) {});
  log::error("unseen");
  log::set_sink(before);
  log::error("seen");
  EXPECT_EQ(collected.lines, (std::vector<std::string>{"3 seen"}));
}

TEST(Log, SinkThatThrowsLosesNothing) {
  const Collected restores;
  log::set_sink([](log::Level, std::string_view) { throw std::runtime_error("sink"); });
  ::testing::internal::CaptureStderr();
  log::error("disk on fire");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "mylos: error: disk on fire\n");
}

TEST(Log, WhatACatchCannotThrowOnIsToldWithItsText) {
  Collected collected;
  const auto log_thrown = [](const auto& thrown) {
    try {
      throw thrown;
    } catch (...) {
      log::caught("at the end of the scope");
    }
  };
  log_thrown(std::runtime_error("disk full"));
  log_thrown(5);
  EXPECT_EQ(collected.lines,
            (std::vector<std::string>{"3 at the end of the scope: disk full", "3 at the end of the scope"}));
}

TEST(Log, ThreadsDoNotMix) {
  Collected collected;
  constexpr int threads = 4;
  constexpr int messages = 250;
  {
    std::vector<std::jthread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([] {
        for (int i = 0; i < messages; ++i) log::error("from a thread");
      });
    }
  }
  EXPECT_EQ(collected.lines, std::vector<std::string>(threads * messages, "3 from a thread"));
}

}  // namespace
}  // namespace mylos_test
