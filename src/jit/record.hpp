// SPDX-License-Identifier: MIT
// Several values as one string of bytes, and back.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// Texts and numbers in their order: each as its length in decimal, a colon, its characters.
class RecordWriter {
 public:
  RecordWriter& add(std::string_view text) {
    bytes_ += std::to_string(text.size()) + ':';
    bytes_ += text;
    return *this;
  }
  RecordWriter& add(std::uint64_t number) { return add(std::to_string(number)); }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what RecordWriter wrote. What is not there is empty or zero, and is_whole() tells in the end.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}

  std::string text() {
    const auto colon = rest_.find(':');
    const auto size = number_in(rest_.substr(0, colon));
    if (colon == std::string_view::npos || !size || *size > rest_.size() - colon - 1) {
      is_broken_ = true;
      rest_ = {};
      return {};
    }
    std::string text(rest_.substr(colon + 1, *size));
    rest_.remove_prefix(colon + 1 + *size);
    return text;
  }
  std::uint64_t number() {
    const auto number = number_in(text());
    if (!number) is_broken_ = true;
    return number.value_or(0);
  }
  /// Whether all that was asked for was there, and nothing else is.
  [[nodiscard]] bool is_whole() const noexcept { return !is_broken_ && rest_.empty(); }
  /// Whether there is something to read: for lists, which need not end where they should.
  [[nodiscard]] bool at_end() const noexcept { return is_broken_ || rest_.empty(); }

 private:
  static std::optional<std::uint64_t> number_in(std::string_view digits) {
    std::uint64_t number = 0;
    const char* const begin = digits.data();
    const char* const end = begin + digits.size();
    const auto [stop, code] = std::from_chars(begin, end, number);
    if (digits.empty() || code != std::errc() || stop != end) return std::nullopt;
    return number;
  }

  std::string_view rest_;
  bool is_broken_ = false;
};

}  // namespace mylos::inline MYLOS_ABI::jit::detail
