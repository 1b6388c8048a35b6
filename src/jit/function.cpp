// SPDX-License-Identifier: MIT
#include <mylos/jit/function.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "jit/declarations.hpp"
#include "jit/parameters.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

using detail::Token;
using detail::TokenKind;
using detail::Tokens;

[[noreturn]] void refuse(std::string_view declaration, std::string_view why) {
  throw SignatureError(
      fmt::format("'{}' declares no device function that can be called: {}: write its result, its name and its "
                  "parameters: \"double f(const double* table, int n, double x)\"",
                  declaration, why));
}

Tokens part(const Tokens& tokens, std::size_t first, std::size_t last) {
  return {tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(last)};
}

bool is_reference(const Token& token) { return token.is("&") || token.is("&&"); }

// The first token outside of brackets for which `holds`, or how many there are.
template <class F>
std::size_t find_outside(const Tokens& tokens, F&& holds) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (holds(tokens[i])) return i;
    const bool opens = tokens[i].is("(") || tokens[i].is("[") || (tokens[i].is("<") && i > 0);
    if (opens) i = std::min(detail::closing(tokens, i), tokens.size() - 1);
  }
  return tokens.size();
}

// A declaration's type without const, what the last * or [] of it makes a pointer, and the parameter's name.
std::string written_type(const Parameter& parsed) {
  Tokens tokens = detail::tokenize(parsed.declaration).tokens;
  if (parsed.is_pointer) {
    const auto ends = [](const Token& token) { return token.is("["); };
    const std::size_t bracket = find_outside(tokens, ends);
    if (bracket < tokens.size()) {
      tokens.resize(bracket);
    } else {
      while (!tokens.back().is("*")) tokens.pop_back();
      tokens.pop_back();
    }
  }
  if (!tokens.empty() && !parsed.name.empty() && tokens.back().is(parsed.name)) tokens.pop_back();
  detail::drop_qualifiers(tokens);
  return detail::spelled(tokens);
}

FunctionParameter parameter_of(Tokens tokens, std::string_view function) {
  FunctionParameter parameter;
  parameter.declaration = detail::parse_parameter(tokens, {}).declaration;
  const std::size_t reference = find_outside(tokens, is_reference);
  const bool refers = reference < tokens.size();
  const bool to_const = find_outside(tokens, [](const Token& token) { return token.is("const"); }) < reference;
  const bool is_lvalue = refers && tokens[reference].is("&");
  if (refers) tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(reference));
  const Parameter parsed = detail::parse_parameter(tokens, {});
  if (parsed.kind == ParameterKind::other) {
    refuse(function, fmt::format("nothing can be passed to its parameter '{}'", parameter.declaration));
  }
  parameter.name = parsed.name;
  parameter.kind = parsed.kind;
  parameter.type = written_type(parsed);
  parameter.may_be_written = parsed.kind == ParameterKind::value ? is_lvalue && !to_const : !parsed.is_const;
  return parameter;
}

// The words before a function's result that a caller need not know.
void drop_specifiers(Tokens& tokens) {
  static constexpr std::array<std::string_view, 11> words = {
      "__device__", "__host__",  "__forceinline__", "__noinline__", "__inline__", "inline",
      "static",     "constexpr", "consteval",       "extern",       "\"C\""};
  const auto matters = [](const Token& word) {  // not: MYLOS_FUNCTION, KOKKOS_INLINE_FUNCTION
    return std::ranges::find(words, word.text) == words.end() && !word.text.ends_with("_FUNCTION");
  };
  while (!tokens.empty()) {
    if (!matters(tokens.front())) {
      tokens.erase(tokens.begin());
    } else if (tokens.size() > 1 && tokens[0].is("[") && tokens[1].is("[")) {
      const std::size_t end = std::min(detail::closing(tokens, 0) + 1, tokens.size());
      tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(end));
    } else {
      return;
    }
  }
}

// Where the name that ends before the parenthesis at `open` begins: "app::f<3>".
std::size_t begin_of_name(const Tokens& tokens, std::size_t open) {
  std::size_t begin = open;
  for (std::size_t i = open; i-- > 0 && tokens[open - 1].is(">");) {
    if (tokens[i].is("<") && detail::closing(tokens, i) + 1 == open) begin = i;
  }
  while (begin > 0 && tokens[begin - 1].kind == TokenKind::identifier) {
    --begin;
    if (begin == 0 || !tokens[begin - 1].is("::")) break;
    --begin;
  }
  return begin;
}

}  // namespace

std::string FunctionDeclaration::plain_name() const {
  const std::string qualified = name.substr(0, name.find('<'));
  const auto colons = qualified.rfind("::");
  return colons == std::string::npos ? qualified : qualified.substr(colons + 2);
}

FunctionDeclaration parse_function(std::string_view declaration) {
  Tokens tokens = detail::tokenize(declaration).tokens;
  drop_specifiers(tokens);
  const std::size_t open = find_outside(tokens, [](const Token& token) { return token.is("("); });
  if (open == tokens.size()) refuse(declaration, "it has no parameters in parentheses");
  const std::size_t close = detail::closing(tokens, open);
  if (close == tokens.size()) refuse(declaration, "its parentheses are not closed");
  const std::size_t name = begin_of_name(tokens, open);
  if (name == open) refuse(declaration, "no name stands before its parameters");

  FunctionDeclaration function;
  function.name = detail::spelled(part(tokens, name, open));
  Tokens result = part(tokens, 0, name);
  std::erase_if(result, is_reference);
  detail::drop_qualifiers(result);
  function.result = detail::spelled(result);
  if (function.result.empty() || function.result == "auto") refuse(declaration, "the type of its result is not said");
  const Tokens parameters = part(tokens, open + 1, close);
  if (parameters.size() == 1 && parameters[0].is("void")) return function;
  for (Tokens& parameter : detail::split_at_commas(parameters)) {
    function.parameters.push_back(parameter_of(std::move(parameter), declaration));
  }
  return function;
}

}  // namespace mylos::inline MYLOS_ABI::jit
