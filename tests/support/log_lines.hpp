// SPDX-License-Identifier: MIT
// What is logged while one lives, instead of on stderr.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mylos/base/log.hpp>

namespace mylos_test {

class LogLines {
 public:
  explicit LogLines(mylos::log::Level level = mylos::log::Level::warning) {
    mylos::log::set_level(level);
    outer_ = mylos::log::set_sink([this](mylos::log::Level, std::string_view text) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(text);
    });
  }
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;
  ~LogLines() {
    mylos::log::set_sink(std::move(outer_));
    mylos::log::set_level(mylos::log::Level::warning);
  }

  /// Those since the last call.
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }
  /// How many of those since the last call hold `piece`.
  int take_count(std::string_view piece) {
    const auto has = [piece](const std::string& line) { return line.find(piece) != std::string::npos; };
    return static_cast<int>(std::ranges::count_if(take(), has));
  }

 private:
  mylos::log::Sink outer_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace mylos_test
