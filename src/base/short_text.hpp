// SPDX-License-Identifier: MIT
// A text of limited length without a destructor: what a thread_local object may hold that static objects use at exit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

class ShortText {
 public:
  static constexpr std::size_t most_bytes = 255;

  /// Of a longer text the beginning is kept.
  void assign(std::string_view text) noexcept {
    size_ = std::min(text.size(), most_bytes);
    std::copy_n(text.data(), size_, bytes_.data());
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.data(), size_}; }

 private:
  std::array<char, most_bytes> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace mylos::inline MYLOS_ABI::detail
