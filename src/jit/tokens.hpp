// SPDX-License-Identifier: MIT
// CUDA C++ text as tokens with positions. Preprocessor directives are not tokens; object-like macros are recorded.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

enum class TokenKind { identifier, number, string, character, punctuation };

struct Token {
  TokenKind kind = TokenKind::punctuation;
  std::string text;       // ">" is always a token of its own, so that "> >" and ">>" close templates alike
  int line = 0;           // counted from 1
  std::size_t begin = 0;  // where it stands in the source

  [[nodiscard]] bool is(std::string_view other) const { return text == other; }
};

using Tokens = std::vector<Token>;

struct Include {
  std::string name;
  bool is_quoted = false;  // "name", not <name>
  std::size_t begin = 0;   // where the name stands in the source, with its quotes or brackets
  int line = 0;            // counted from 1
};

using MacroNames = std::set<std::string, std::less<>>;

struct TokenizedText {
  Tokens tokens;
  std::vector<Include> includes;
  std::vector<std::string> function_like_macros;  // their names
  std::vector<Include> questions;                 // of __has_include
  MacroNames asking_macros;                       // which do nothing but ask __has_include for their argument
  std::vector<std::string> obstacles;             // "line 3: ...": why the compiler may read what is not listed above
};

/// What is known of macros before the text.
struct KnownMacros {
  std::string definitions;  ///< lines of #define
  /// Those that neither these lines nor the text define; not names like __CUDA_ARCH__.
  bool others_are_undefined = false;
};

// Comments, line continuations, directives and regions that are certainly not compiled ("#if 0", and what known macros
// decide) are left out; object-like macros that are defined once are replaced. Never fails: what is not closed ends
// with the text.
MYLOS_EXPORT TokenizedText tokenize(std::string_view source, const KnownMacros& macros = {});

// The same without tokens: what the directives say is all that is wanted. In half of the time. `asking` are the
// asking_macros that other texts define.
TokenizedText read_directives(std::string_view source, const MacroNames& asking = {});

}  // namespace mylos::inline MYLOS_ABI::jit::detail
