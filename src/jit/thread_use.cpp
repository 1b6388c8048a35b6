// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <mylos/jit/signature.hpp>

#include "jit/declarations.hpp"
#include "jit/parameters.hpp"
#include "jit/tokens.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

// The rest of a macro's name that is Mylos' own.
std::string_view own_macro(std::string_view word) {
  constexpr std::string_view prefix = "MYLOS_";
  return word.starts_with(prefix) ? word.substr(prefix.size()) : std::string_view();
}

int axes_of(std::string_view word) {
  constexpr std::array<std::string_view, 3> macros = {"THREAD_1D", "THREAD_2D", "THREAD_3D"};
  const auto* const macro = std::ranges::find(macros, own_macro(word));
  return macro == macros.end() ? 0 : static_cast<int>(macro - macros.begin()) + 1;
}

bool tells_the_grid(std::string_view word) {
  return word == "gridDim" || word == "threads_x" || word == "threads_y" || word == "threads_z" ||
         own_macro(word).starts_with("GRID_STRIDE_");
}

using TokenSpan = std::span<const detail::Token>;

// "blockIdx.x * blockDim.x", or the other way round.
bool begins_with_index(TokenSpan tokens) {
  if (tokens.size() < 7 || !tokens[3].is("*")) return false;
  const auto is_x_of = [&](std::string_view name, std::size_t at) {
    return tokens[at].is(name) && tokens[at + 1].is(".") && tokens[at + 2].is("x");
  };
  return (is_x_of("blockIdx", 0) && is_x_of("blockDim", 4)) || (is_x_of("blockDim", 0) && is_x_of("blockIdx", 4));
}

bool is_narrow_type(TokenSpan tokens) {
  const std::string type = detail::canonical({tokens.begin(), tokens.end()}, {});
  return type == "int" || type == "unsigned int";
}

bool is_narrow_number(const detail::Token& token) {
  return token.kind == detail::TokenKind::number && token.text.find_first_not_of("0123456789'uU") == std::string::npos;
}

// Whether a product may be one of 64 bits by what stands `before` its factors: a cast, or further factors. What is not
// known to be of 32 bits may.
bool may_widen(TokenSpan before) {
  while (!before.empty()) {
    const detail::Token& last = before.back();
    if (last.is(")")) {
      before = before.first(before.size() - 1);
      std::size_t type = before.size();
      while (type > 0 && !before[type - 1].is("(")) --type;
      if (type == 0 || !is_narrow_type(before.subspan(type))) return true;
      before = before.first(type - 1);
    } else if (last.is("*")) {
      if (before.size() < 2 || !is_narrow_number(before[before.size() - 2])) return true;
      before = before.first(before.size() - 2);
    } else {
      return last.is("/") || last.is("%");
    }
  }
  return false;
}

// See ThreadUse::narrow_index_line.
int narrow_index_line(TokenSpan body) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (begins_with_index(body.subspan(i)) && !may_widen(body.first(i))) return body[i].line;
  }
  return 0;
}

}  // namespace

ThreadUse thread_use(std::string_view source, std::string_view name) {
  const detail::ScannedText text = detail::scan(source);
  ThreadUse use;
  for (const detail::KernelDeclaration& kernel : text.kernels) {
    if (!kernel.is_called(name)) continue;
    const TokenSpan body = TokenSpan(text.tokens).subspan(kernel.body_begin, kernel.body_end - kernel.body_begin);
    for (const detail::Token& token : body) use.axes = std::max(use.axes, axes_of(token.text));
    if (use.narrow_index_line == 0) use.narrow_index_line = narrow_index_line(body);
  }
  const auto is_foreign = [](const detail::Include& include) { return !include.name.starts_with("mylos/"); };
  use.may_read_grid = std::ranges::any_of(text.includes, is_foreign) ||
                      std::ranges::any_of(text.tokens, tells_the_grid, &detail::Token::text);
  return use;
}

}  // namespace mylos::inline MYLOS_ABI::jit
