// SPDX-License-Identifier: MIT
#include <mylos/base/log.hpp>

#include <array>
#include <cstdio>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>

#include "base/setting.hpp"

namespace mylos::inline MYLOS_ABI::log {
namespace {

constexpr std::array names{"debug", "info", "warning", "error", "off"};

void to_stderr(Level level, std::string_view message) {
  std::fprintf(stderr, "mylos: %s: %.*s\n", names.at(static_cast<std::size_t>(level)), static_cast<int>(message.size()),
               message.data());
}

struct ThresholdDefinition {
  using Value = Level;
  // A bad MYLOS_LOG is told once, on the log itself: logging is used where throwing is not possible.
  static Value initial() {
    try {
      const auto word = environment::choice("MYLOS_LOG", {"debug", "info", "warning", "error", "off"});
      for (std::size_t i = 0; word && i < names.size(); ++i) {
        if (*word == names.at(i)) return static_cast<Level>(i);
      }
    } catch (const ValueError& error) {
      to_stderr(Level::error, error.what());
    }
    return Level::warning;
  }
};
using Threshold = mylos::detail::Setting<ThresholdDefinition>;

struct Logger {
  std::mutex mutex;
  Sink sink;
};

Logger& logger() {
  static Logger* const instance = new Logger;  // never destroyed: destructors of other statics log
  return *instance;
}

void write(Level level, std::string_view message) noexcept {
  try {
    if (level < Threshold::get()) return;
    const std::lock_guard lock(logger().mutex);
    if (logger().sink) {
      logger().sink(level, message);
    } else {
      to_stderr(level, message);
    }
  } catch (...) {
    to_stderr(level, message);
  }
}

}  // namespace

Sink set_sink(Sink sink) {
  const std::lock_guard lock(logger().mutex);
  return std::exchange(logger().sink, std::move(sink));
}

void set_level(Level level) { Threshold::set(level); }

bool enabled(Level level) noexcept { return level >= Threshold::get(); }

void debug(std::string_view message) noexcept { write(Level::debug, message); }
void info(std::string_view message) noexcept { write(Level::info, message); }
void warning(std::string_view message) noexcept { write(Level::warning, message); }
void error(std::string_view message) noexcept { write(Level::error, message); }

void caught(std::string_view during) noexcept {
  try {
    try {
      throw;
    } catch (const std::exception& exception) {
      error(std::string(during) + ": " + exception.what());
    }
  } catch (...) {  // one that has no text, or no memory for the text
    error(during);
  }
}

}  // namespace mylos::inline MYLOS_ABI::log
