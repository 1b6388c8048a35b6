// SPDX-License-Identifier: MIT
// A file that is part of the program: see mylos_embed_texts() in cmake/EmbedTexts.cmake.
#pragma once

#include <cstddef>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// A file that exists only in memory: its name, as the program knows it, and what is in it.
///
/// Of an embedded file both live as long as the program, and a zero byte stands behind their last characters.
struct NamedText {
  std::string_view name;
  std::string_view text;
};

/// Of two literals, whatever is in them and however long they are.
template <std::size_t n, std::size_t m>
[[nodiscard]] constexpr NamedText named_text(const char (&name)[n], const char (&text)[m]) noexcept {
  return {{static_cast<const char*>(name), n - 1}, {static_cast<const char*>(text), m - 1}};
}

}  // namespace mylos::inline MYLOS_ABI
