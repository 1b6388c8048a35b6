// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string_view>

#include <mylos/jit/signature.hpp>

#include "jit/declarations.hpp"

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

}  // namespace

ThreadUse thread_use(std::string_view source, std::string_view name) {
  const detail::ScannedText text = detail::scan(source);
  ThreadUse use;
  for (const detail::KernelDeclaration& kernel : text.kernels) {
    if (!kernel.is_called(name)) continue;
    for (std::size_t i = kernel.body_begin; i < kernel.body_end; ++i) {
      use.axes = std::max(use.axes, axes_of(text.tokens[i].text));
    }
  }
  const auto is_foreign = [](const detail::Include& include) { return !include.name.starts_with("mylos/"); };
  use.may_read_grid = std::ranges::any_of(text.includes, is_foreign) ||
                      std::ranges::any_of(text.tokens, tells_the_grid, &detail::Token::text);
  return use;
}

}  // namespace mylos::inline MYLOS_ABI::jit
