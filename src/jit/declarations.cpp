// SPDX-License-Identifier: MIT
#include "jit/declarations.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

bool is_identifier(const Token& token) { return token.kind == TokenKind::identifier; }

template <std::size_t n>
bool is_one_of(const Token& token, const std::array<std::string_view, n>& words) {
  return std::ranges::find(words, token.text) != words.end();
}

// The index of `text` outside of brackets at or after `from`, or tokens.size().
std::size_t find_outside(const Tokens& tokens, std::string_view text, std::size_t from = 0) {
  for (std::size_t i = from; i < tokens.size(); ++i) {
    if (tokens[i].is(text)) return i;
    if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) i = closing(tokens, i);
  }
  return tokens.size();
}

bool has_outside(const Tokens& tokens, std::string_view text) { return find_outside(tokens, text) < tokens.size(); }

Tokens part(const Tokens& tokens, std::size_t first, std::size_t last) {
  last = std::min(last, tokens.size());
  if (first >= last) return {};
  return {tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(last)};
}

void erase(Tokens& tokens, std::size_t first, std::size_t last) {
  last = std::min(last, tokens.size());
  if (first >= last) return;
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(last));
}

// The pieces of one declaration with __global__ in it, or nothing when it declares no kernel of its own
// (explicit instantiations and specialisations, texts that only a macro completes).
class DeclarationParser {
 public:
  DeclarationParser(Tokens tokens, const std::vector<std::string>& function_like_macros)
      : tokens_(std::move(tokens)), function_like_macros_(function_like_macros) {}

  std::optional<KernelDeclaration> parse() {
    if (!take_template_heads()) return std::nullopt;
    take_linkage();
    drop_attributes();
    drop_constraints();
    const std::size_t result_type = find_outside(tokens_, "void");
    const auto name = find_name(result_type + 1);
    if (!name) return std::nullopt;
    const std::size_t open = *name + 1;
    declaration_.name = tokens_[*name].text;
    declaration_.line = tokens_[*name].line;
    declaration_.parameters = part(tokens_, open + 1, closing(tokens_, open));
    for (std::size_t i = *name; i >= 2 && tokens_[i - 1].is("::") && is_identifier(tokens_[i - 2]); i -= 2) {
      declaration_.scope.insert(0, tokens_[i - 2].text + "::");
    }
    return declaration_;
  }

 private:
  bool take_template_heads() {
    while (!tokens_.empty() && tokens_.front().is("template")) {
      if (tokens_.size() < 2 || !tokens_[1].is("<")) return false;  // an explicit instantiation
      const std::size_t end = closing(tokens_, 1);
      declaration_.template_parameters = part(tokens_, 2, end);
      if (declaration_.template_parameters.empty()) return false;  // an explicit specialisation
      erase(tokens_, 0, end + 1);
    }
    return true;
  }

  void take_linkage() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].is("extern") && tokens_[i + 1].is("\"C\"")) {
        declaration_.is_extern_c = true;
        erase(tokens_, i, i + 2);
        break;
      }
    }
    declaration_.has_internal_linkage = has_outside(tokens_, "static");
  }

  void drop_attributes() {
    static constexpr std::array<std::string_view, 10> with_arguments = {
        "__attribute__", "__attribute",      "__declspec",     "alignas",  "__launch_bounds__",
        "__maxnreg__",   "__cluster_dims__", "__block_size__", "noexcept", "throw"};
    for (std::size_t i = 0; i < tokens_.size();) {
      const bool bracketed = tokens_[i].is("[") && i + 1 < tokens_.size() && tokens_[i + 1].is("[");
      const bool named = is_one_of(tokens_[i], with_arguments) && i + 1 < tokens_.size() && tokens_[i + 1].is("(");
      if (bracketed) {
        erase(tokens_, i, closing(tokens_, i) + 1);
      } else if (named) {
        erase(tokens_, i, closing(tokens_, i + 1) + 1);
      } else {
        i = tokens_[i].is("(") ? closing(tokens_, i) + 1 : i + 1;
      }
    }
  }

  // A requires-clause before the declaration ends where the declaration's own words begin; one behind it ends it.
  void drop_constraints() {
    static constexpr std::array<std::string_view, 5> beginnings = {"__global__", "void", "static", "inline", "extern"};
    const std::size_t clause = find_outside(tokens_, "requires");
    std::size_t end = tokens_.size();
    for (const std::string_view word : beginnings) end = std::min(end, find_outside(tokens_, word, clause));
    erase(tokens_, clause, end);
  }

  // How much the content of parentheses looks like parameters: macros with arguments look the same from outside.
  static int likeness(const Tokens& content) {
    static constexpr std::array<std::string_view, 9> types = {"void", "bool",  "char",   "short",   "int",
                                                              "long", "float", "double", "unsigned"};
    if (content.empty()) return 2;
    int least = 2;
    for (const Tokens& piece : split_at_commas(content)) {
      if (piece.empty() || (!is_identifier(piece.front()) && !piece.front().is("::") && !piece.front().is("[") &&
                            !piece.front().is("..."))) {
        least = 0;
      } else if (piece.size() == 1 && !is_one_of(piece.front(), types)) {
        least = std::min(least, 1);
      }
    }
    return least;
  }

  std::optional<std::size_t> find_name(std::size_t from) const {
    std::optional<std::size_t> best;
    int best_likeness = -1;
    for (std::size_t i = from; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].is("(")) {
        i = closing(tokens_, i);
        continue;
      }
      const bool macro = std::ranges::find(function_like_macros_, tokens_[i].text) != function_like_macros_.end();
      if (!is_identifier(tokens_[i]) || !tokens_[i + 1].is("(") || macro) continue;
      const int like = likeness(part(tokens_, i + 2, closing(tokens_, i + 1)));
      if (like >= best_likeness) {
        best = i;
        best_likeness = like;
      }
    }
    return best;
  }

  Tokens tokens_;
  const std::vector<std::string>& function_like_macros_;
  KernelDeclaration declaration_;
};

class Scanner {
 public:
  explicit Scanner(TokenizedText text) : tokens_(std::move(text.tokens)) {
    result_.function_like_macros = std::move(text.function_like_macros);
    result_.includes = std::move(text.includes);
  }

  ScannedText run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is(";")) {
        finish(false);
      } else if (token.is("{")) {
        i = open_brace(i);
      } else if (token.is("}")) {
        if (!scopes_.empty()) scopes_.pop_back();
        statement_.clear();
      } else if (token.is("(") || token.is("[")) {
        i = append_group(i);
      } else {
        statement_.push_back(token);
      }
    }
    result_.tokens = std::move(tokens_);
    return std::move(result_);
  }

 private:
  struct Scope {
    std::string name;  // "app::", empty for extern "C" blocks and unnamed namespaces
    bool is_extern_c = false;
    bool is_unnamed = false;
  };

  std::size_t append_group(std::size_t open) {
    const std::size_t close = std::min(closing(tokens_, open), tokens_.size() - 1);
    statement_.insert(statement_.end(), tokens_.begin() + static_cast<std::ptrdiff_t>(open),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(close) + 1);
    return close;
  }

  // Enters a namespace or an extern "C" block; skips every other body. Returns the index of the last token consumed.
  std::size_t open_brace(std::size_t open) {
    const std::size_t space = find_outside(statement_, "namespace");
    if (space < statement_.size() && !has_outside(statement_, "using")) {
      enter_namespace(space + 1);
      return open;
    }
    if (statement_.size() == 2 && statement_[0].is("extern") && statement_[1].kind == TokenKind::string) {
      scopes_.push_back({.name = "", .is_extern_c = statement_[1].is("\"C\""), .is_unnamed = false});
      statement_.clear();
      return open;
    }
    if (ends_in_requires_expression()) return append_group(open);
    const std::size_t before = result_.kernels.size();
    finish(true);
    const std::size_t close = closing(tokens_, open);
    for (std::size_t i = before; i < result_.kernels.size(); ++i) {
      result_.kernels[i].body_begin = open + 1;
      result_.kernels[i].body_end = close;
    }
    return close;
  }

  void enter_namespace(std::size_t from) {
    Scope scope;
    for (std::size_t i = from; i < statement_.size(); ++i) {
      if (statement_[i].is("[")) {
        i = closing(statement_, i);
      } else if (is_identifier(statement_[i]) && !statement_[i].is("inline")) {
        scope.name += statement_[i].text + "::";
      }
    }
    scope.is_unnamed = scope.name.empty();
    scopes_.push_back(std::move(scope));
    statement_.clear();
  }

  [[nodiscard]] bool ends_in_requires_expression() const {
    std::size_t last = find_outside(statement_, "requires");
    for (std::size_t next = last; next < statement_.size(); next = find_outside(statement_, "requires", next + 1))
      last = next;
    if (last + 1 == statement_.size()) return true;
    return last + 1 < statement_.size() && statement_[last + 1].is("(") &&
           closing(statement_, last + 1) + 1 == statement_.size() && !has_outside(statement_, "__global__");
  }

  void finish(bool is_definition) {
    const Tokens statement = std::exchange(statement_, {});
    std::size_t first = find_outside(statement, "__global__");
    if (first == statement.size()) {
      note_alias(statement);
      return;
    }
    // Two heads for one body, chosen by a preprocessor conditional, are two declarations.
    std::size_t begin = 0;
    while (begin < statement.size()) {
      const std::size_t next = find_outside(statement, "__global__", first + 1);
      add(part(statement, begin, next), is_definition);
      begin = first = next;
    }
  }

  void add(Tokens declaration, bool is_definition) {
    auto kernel = DeclarationParser(std::move(declaration), result_.function_like_macros).parse();
    if (!kernel) return;
    std::string scope;
    for (const Scope& outer : scopes_) {
      scope += outer.name;
      kernel->is_extern_c |= outer.is_extern_c;
      kernel->has_internal_linkage |= outer.is_unnamed;
    }
    kernel->scope.insert(0, scope);
    kernel->is_definition = is_definition;
    result_.kernels.push_back(std::move(*kernel));
  }

  // A macro used like a declaration ends without a semicolon, so the alias need not come first.
  void note_alias(const Tokens& statement) {
    const std::size_t end = statement.size();
    const std::size_t type_alias = find_outside(statement, "using");
    const std::size_t definition = find_outside(statement, "typedef");
    if (type_alias + 3 < end && is_identifier(statement[type_alias + 1]) && statement[type_alias + 2].is("=")) {
      Alias alias{part(statement, type_alias + 3, end)};
      if (statement.front().is("template") && statement[1].is("<")) {
        for (const auto& parameter : template_parameters(part(statement, 2, closing(statement, 1)))) {
          alias.parameters.push_back(parameter.name);
        }
      }
      note_alias(statement[type_alias + 1].text, std::move(alias));
    } else if (definition + 2 < end && is_identifier(statement.back())) {
      note_alias(statement.back().text, {part(statement, definition + 1, end - 1)});
    }
  }

  // One with two meanings, by a preprocessor conditional or in two namespaces, is none: only a compiler knows it. So
  // are arrays and functions, whose words do not stand on one side of a name.
  void note_alias(const std::string& name, Alias alias) {
    if (ambiguous_aliases_.contains(name) || has_outside(alias.meaning, "[") || has_outside(alias.meaning, "(")) return;
    const auto [known, is_new] = result_.aliases.try_emplace(name, alias);
    const auto same = [](const Token& a, const Token& b) { return a.text == b.text; };
    if (is_new || std::ranges::equal(known->second.meaning, alias.meaning, same)) return;
    result_.aliases.erase(known);
    ambiguous_aliases_.insert(name);
  }

  Tokens tokens_;
  Tokens statement_;  // since the last ; or body, brackets included
  std::vector<Scope> scopes_;
  std::set<std::string> ambiguous_aliases_;
  ScannedText result_;
};

}  // namespace

std::size_t closing(const Tokens& tokens, std::size_t open) {
  std::string stack;  // of open brackets
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text.size() != 1 || tokens[i].kind != TokenKind::punctuation) continue;
    const char c = tokens[i].text[0];
    const bool opens_template = c == '<' && (i == open || (i > 0 && is_identifier(tokens[i - 1])));
    if (c == '(' || c == '[' || c == '{' || opens_template) {
      stack += c;
    } else if (c == '>') {
      if (stack.back() == '<') stack.pop_back();
    } else if (c == ')' || c == ']' || c == '}') {
      while (!stack.empty() && stack.back() == '<') stack.pop_back();  // those were comparisons
      if (stack.empty()) return tokens.size();
      stack.pop_back();
    } else if (c == ';' && stack == "<") {
      return tokens.size();
    }
    if (stack.empty()) return i;
  }
  return tokens.size();
}

std::vector<Tokens> split_at_commas(const Tokens& tokens) {
  std::vector<Tokens> pieces;
  if (tokens.empty()) return pieces;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool bracket = tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{");
    const bool angle = tokens[i].is("<") && i > 0 && is_identifier(tokens[i - 1]);
    if (bracket || angle) {
      const std::size_t close = closing(tokens, i);
      if (close < tokens.size()) i = close;
    } else if (tokens[i].is(",")) {
      pieces.push_back(part(tokens, begin, i));
      begin = i + 1;
    }
  }
  pieces.push_back(part(tokens, begin, tokens.size()));
  return pieces;
}

std::vector<TemplateParameter> template_parameters(const Tokens& head) {
  std::vector<TemplateParameter> parameters;
  for (const Tokens& piece : split_at_commas(head)) {
    const auto equals = std::ranges::find_if(piece, [](const Token& token) { return token.is("="); });
    const Tokens words(piece.begin(), equals);
    const bool named = words.size() > 1 && is_identifier(words.back());
    parameters.push_back(
        {named ? words.back().text : "", equals == piece.end() ? Tokens() : Tokens(equals + 1, piece.end())});
  }
  return parameters;
}

ScannedText scan(std::string_view source, const KnownMacros& macros) { return Scanner(tokenize(source, macros)).run(); }

}  // namespace mylos::inline MYLOS_ABI::jit::detail
