// SPDX-License-Identifier: MIT
#include "emulator/shared_guard.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

constexpr std::size_t near_bytes = 1024;
constexpr std::size_t row = 64;

// As a float and as a double no number; unlikely as anything else.
constexpr std::array<unsigned char, row> pattern = [] {
  std::array<unsigned char, row> bytes{};
  constexpr std::array<unsigned char, 4> word = {0xad, 0xde, 0xfa, 0x7f};
  for (std::size_t i = 0; i < row; ++i) bytes[i] = word[i % word.size()];
  return bytes;
}();

}  // namespace

void SharedGuard::arm(std::span<std::byte> memory, std::size_t used) {
  zone_ = memory.subspan(std::min(used, memory.size()));
  for (std::size_t at = 0; at < zone_.size(); at += row) {
    std::memcpy(zone_.data() + at, pattern.data(), std::min(row, zone_.size() - at));
  }
}

std::optional<std::size_t> SharedGuard::first_change() const { return first_change_in(zone_.size()); }

std::optional<std::size_t> SharedGuard::first_near_change() const {
  return first_change_in(std::min(zone_.size(), near_bytes));
}

std::optional<std::size_t> SharedGuard::first_change_in(std::size_t bytes) const {
  for (std::size_t at = 0; at < bytes; at += row) {
    const std::size_t length = std::min(row, bytes - at);
    if (std::memcmp(zone_.data() + at, pattern.data(), length) == 0) continue;
    std::size_t i = 0;
    while (std::to_integer<unsigned char>(zone_[at + i]) == pattern.at(i)) ++i;
    return at + i;
  }
  return std::nullopt;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
