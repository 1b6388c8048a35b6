// SPDX-License-Identifier: MIT
#include "jit/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

bool starts_identifier(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || (c & 0x80) != 0;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_identifier(char c) { return starts_identifier(c) || is_digit(c); }
bool ends_in_exponent(std::string_view number) {
  if (number.empty()) return false;
  const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
  const char last = number.back();
  return hexadecimal ? last == 'p' || last == 'P' : last == 'e' || last == 'E';
}

// Characters after line continuations (backslash, newline) are taken out, as the language does before all else.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) { skip_continuations(); }

  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[position_]; }
  [[nodiscard]] char peek_next() const {
    Cursor next = *this;
    next.advance();
    return next.peek();
  }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] std::size_t position() const { return position_; }

  char advance() {
    if (at_end()) return '\0';
    const char c = text_[position_++];
    if (c == '\n') ++line_;
    skip_continuations();
    return c;
  }

  // Raw strings are read as they stand, continuations included.
  char advance_raw() {
    if (at_end()) return '\0';
    const char c = text_[position_++];
    if (c == '\n') ++line_;
    return c;
  }

 private:
  void skip_continuations() {
    while (position_ < text_.size() && text_[position_] == '\\') {
      std::size_t next = position_ + 1;
      if (next < text_.size() && text_[next] == '\r') ++next;
      if (next >= text_.size() || text_[next] != '\n') return;
      position_ = next + 1;
      ++line_;
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
};

struct Macro {
  Tokens replacement;
  bool ambiguous = false;  // defined more than once, and differently
};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source, MacroNames asking = {})
      : cursor_(source), keeps_tokens_(false), asking_macros_(std::move(asking)) {}

  Tokenizer(std::string_view source, const KnownMacros& known)
      : cursor_(source), keeps_tokens_(true), others_are_undefined_(known.others_are_undefined) {
    if (known.definitions.empty()) return;
    Tokenizer before(known.definitions);
    before.read();
    macros_ = std::move(before.macros_);
    function_like_ = std::move(before.function_like_);
    for (const auto& [name, macro] : macros_) certainly_defined_.insert(name);
    certainly_defined_.insert(function_like_.begin(), function_like_.end());
  }

  TokenizedText run() {
    read();
    return {expanded(tokens_, {}), std::move(includes_),      {function_like_.begin(), function_like_.end()},
            std::move(questions_), std::move(asking_macros_), std::move(obstacles_)};
  }

 private:
  struct Condition {
    bool skip = false;        // this branch is certainly not compiled
    bool taken = false;       // an earlier branch certainly was
    bool skip_outer = false;  // the whole conditional is inside of a skipped region
  };

  void read() {
    while (true) {
      skip_blanks_and_comments();
      if (cursor_.at_end()) break;
      if (cursor_.peek() == '#' && at_line_start_) {
        directive();
        continue;
      }
      if (cursor_.peek() == '%' && at_line_start_ && cursor_.peek_next() == ':') {
        obstacle(cursor_.line(), "a directive that begins with %:");
      }
      at_line_start_ = false;
      Token token = next_token();
      look_for_obstacles(token);
      if (keeps_tokens_ && !skipping()) tokens_.push_back(std::move(token));
    }
  }

  [[nodiscard]] bool skipping() const {
    return !conditions_.empty() && (conditions_.back().skip || conditions_.back().skip_outer);
  }

  void skip_blanks_and_comments() {
    while (!cursor_.at_end()) {
      const char c = cursor_.peek();
      if (c == '\n') {
        at_line_start_ = true;
        cursor_.advance();
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        cursor_.advance();
      } else if (!skip_comment()) {
        return;
      }
    }
  }

  bool skip_comment() {
    if (cursor_.peek() != '/') return false;
    const char kind = cursor_.peek_next();
    if (kind == '/') {
      while (!cursor_.at_end() && cursor_.peek() != '\n') cursor_.advance();
      return true;
    }
    if (kind != '*') return false;
    cursor_.advance();
    cursor_.advance();
    while (!cursor_.at_end()) {
      if (cursor_.advance() == '*' && cursor_.peek() == '/') {
        cursor_.advance();
        break;
      }
    }
    return true;
  }

  Token next_token() {
    Token token;
    token.line = cursor_.line();
    token.begin = cursor_.position();
    const char c = cursor_.peek();
    if (starts_identifier(c)) {
      token.kind = TokenKind::identifier;
      while (continues_identifier(cursor_.peek())) token.text += cursor_.advance();
      if (literal_prefix(token.text)) literal(token);
    } else if (is_digit(c) || (c == '.' && is_digit(cursor_.peek_next()))) {
      number(token);
    } else if (c == '"' || c == '\'') {
      literal(token);
    } else {
      punctuation(token);
    }
    return token;
  }

  [[nodiscard]] bool literal_prefix(const std::string& word) const {
    static constexpr std::array<std::string_view, 9> prefixes = {"R", "u", "u8", "U", "L", "uR", "u8R", "UR", "LR"};
    const char c = cursor_.peek();
    if (c != '"' && c != '\'') return false;
    return std::ranges::find(prefixes, word) != prefixes.end() && (c == '"' || word.back() != 'R');
  }

  // A preprocessing number: digit separators and signed exponents belong to it.
  void number(Token& token) {
    token.kind = TokenKind::number;
    while (true) {
      const char c = cursor_.peek();
      const bool separator = c == '\'' && continues_identifier(cursor_.peek_next());
      const bool sign = (c == '+' || c == '-') && ends_in_exponent(token.text);
      if (!continues_identifier(c) && c != '.' && !separator && !sign) return;
      token.text += cursor_.advance();
    }
  }

  void literal(Token& token) {
    const bool raw = !token.text.empty() && token.text.back() == 'R';
    const char quote = cursor_.peek();
    token.kind = quote == '"' ? TokenKind::string : TokenKind::character;
    if (raw) {
      raw_string(token);
      return;
    }
    token.text += cursor_.advance();
    while (!cursor_.at_end() && cursor_.peek() != '\n') {  // an apostrophe that is never closed ends with its line
      const char c = cursor_.advance();
      token.text += c;
      if (c == quote) return;
      if (c == '\\') token.text += cursor_.advance();
    }
  }

  void raw_string(Token& token) {
    token.text += cursor_.advance_raw();
    std::string terminator = ")";
    while (!cursor_.at_end() && cursor_.peek() != '(') terminator += cursor_.advance_raw();
    terminator += '"';
    const std::size_t body = token.text.size();
    while (!cursor_.at_end()) {
      token.text += cursor_.advance_raw();
      if (token.text.size() >= body + terminator.size() && token.text.ends_with(terminator)) return;
    }
  }

  void punctuation(Token& token) {
    const char c = cursor_.advance();
    token.text = c;
    const char next = cursor_.peek();
    static constexpr std::array<std::string_view, 5> pairs = {"::", "->", "<=", "&&", "=="};
    const std::array<char, 2> both = {c, next};
    if (std::ranges::find(pairs, std::string_view(both.data(), 2)) != pairs.end()) token.text += cursor_.advance();
    if (c == '.' && next == '.' && cursor_.peek_next() == '.') {
      token.text += cursor_.advance();
      token.text += cursor_.advance();
    }
  }

  // The rest of a directive's line as tokens; comments in it may span lines.
  Tokens directive_tokens(bool& blank_after_name) {
    Tokens words;
    while (true) {
      bool blank = false;
      while (!cursor_.at_end() && cursor_.peek() != '\n') {
        if (std::isspace(static_cast<unsigned char>(cursor_.peek())) != 0) {
          cursor_.advance();
        } else if (!skip_comment()) {
          break;
        }
        blank = true;
      }
      if (words.size() == 2) blank_after_name = blank;
      if (cursor_.at_end() || cursor_.peek() == '\n') return words;
      words.push_back(cursor_.peek() == '<' && names_a_file_next(words) ? header_name() : next_token());
    }
  }

  [[nodiscard]] bool names_a_file_next(const Tokens& words) const {
    if (words.size() == 1) return words[0].is("include");
    return words.size() >= 2 && words.back().is("(") && asks(words[words.size() - 2]);
  }
  [[nodiscard]] bool asks(const Token& word) const {
    return word.is("__has_include") || asking_macros_.contains(word.text);
  }
  // #define HAS(name) __has_include(name)
  [[nodiscard]] bool defines_asking_macro(const Tokens& words, bool blank_after_name) const {
    return words.size() == 9 && words[0].is("define") && !blank_after_name && words[2].is("(") && words[4].is(")") &&
           asks(words[5]) && words[6].is("(") && words[7].is(words[3].text) && words[8].is(")");
  }

  // Between < and > all characters stand for themselves, "//" too.
  Token header_name() {
    Token token{.kind = TokenKind::punctuation, .text = {}, .line = cursor_.line(), .begin = cursor_.position()};
    while (!cursor_.at_end() && cursor_.peek() != '\n') {
      token.text += cursor_.advance();
      if (token.text.back() == '>') break;
    }
    return token;
  }

  static std::optional<Include> file_name(const Token& token) {
    if (token.text.size() < 2) return std::nullopt;
    const bool is_quoted = token.kind == TokenKind::string && token.text.front() == '"' && token.text.back() == '"';
    if (!is_quoted && !(token.text.front() == '<' && token.text.back() == '>')) return std::nullopt;
    return Include{token.text.substr(1, token.text.size() - 2), is_quoted, token.begin, token.line};
  }

  void obstacle(int line, std::string_view what) {
    if (!skipping()) obstacles_.push_back("line " + std::to_string(line) + ": " + std::string(what));
  }

  void look_for_obstacles(const Token& token) {
    static constexpr std::array<std::string_view, 3> times = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
    if (token.kind == TokenKind::identifier && std::ranges::find(times, token.text) != times.end()) {
      obstacle(token.line, token.text + " is another at each compilation");
    } else if (token.kind == TokenKind::string &&
               (token.text.find(".incbin") != std::string::npos || token.text.find(".include") != std::string::npos)) {
      obstacle(token.line, "an assembler's .include or .incbin reads a file");
    }
  }

  // __has_include in a condition, or in a macro that conditions use.
  void look_for_questions(const Tokens& words, bool blank_after_name) {
    const bool defines = words[0].is("define"), is_condition = words[0].is("if") || words[0].is("elif");
    for (std::size_t i = defines ? 2 : 1; i < words.size(); ++i) {
      look_for_obstacles(words[i]);
      if (words[i].is("__has_include_next") || words[i].is("__has_embed")) {
        obstacle(words[i].line, words[i].text + " looks for a file");
      }
      if (!asks(words[i])) continue;
      const bool is_call = i + 2 < words.size() && words[i + 1].is("(");
      const auto file = is_call ? file_name(words[i + 2]) : std::nullopt;
      const bool is_literal = file && !(defines && !blank_after_name && holds_parameter(words, *file));
      if (is_literal) {
        if (!skipping()) questions_.push_back(*file);
      } else if (is_call || defines || (is_condition && !is_operand_of_defined(words, i))) {
        obstacle(words[i].line, "__has_include of a name that is made by a macro");
      }
    }
  }

  static bool is_operand_of_defined(const Tokens& words, std::size_t i) {
    return words[i - 1].is("defined") || (i >= 2 && words[i - 1].is("(") && words[i - 2].is("defined"));
  }
  // Whether <name> in a definition with parameters holds one of them.
  static bool holds_parameter(const Tokens& definition, const Include& file) {
    if (file.is_quoted || definition.size() < 4 || !definition[2].is("(")) return false;
    for (std::size_t i = 3; i < definition.size() && !definition[i].is(")"); ++i) {
      const Token& word = definition[i];
      if (word.kind == TokenKind::identifier && file.name.find(word.text) != std::string::npos) return true;
    }
    return false;
  }

  void directive() {
    cursor_.advance();
    bool blank_after_name = true;
    const Tokens words = directive_tokens(blank_after_name);
    if (words.empty()) return;
    const std::string& name = words[0].text;
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      const std::optional<bool> holds = condition(words);
      conditions_.push_back({.skip = holds == false, .taken = holds == true, .skip_outer = skipping()});
    } else if ((name == "else" || name == "elif" || name == "elifdef" || name == "elifndef") && !conditions_.empty()) {
      const std::optional<bool> holds = name == "else" ? std::nullopt : condition(words);
      conditions_.back().skip = conditions_.back().taken || holds == false;
      conditions_.back().taken |= holds == true;
    } else if (name == "undef" && words.size() >= 2 && !skipping()) {
      certainly_defined_.erase(words[1].text);
    } else if (name == "endif" && !conditions_.empty()) {
      conditions_.pop_back();
    } else if (name == "define" && words.size() >= 2 && !skipping()) {
      define(words, blank_after_name);
    } else if (name == "include" && words.size() >= 2 && !skipping()) {
      include(words[1]);
    } else if (name == "include_next" || name == "import" || name == "embed") {
      obstacle(words[0].line, "#" + name);
    }
    if (defines_asking_macro(words, blank_after_name)) {
      if (!skipping()) asking_macros_.insert(words[1].text);
      return;
    }
    look_for_questions(words, blank_after_name);  // now: whether this branch counts is told by the directive itself
  }

  // Whether what an #if, #ifdef, #elif or the like asks for is so; nothing where only a compiler knows.
  [[nodiscard]] std::optional<bool> condition(const Tokens& words) const {
    const std::string& directive = words[0].text;
    if (words.size() < 2) return std::nullopt;
    if (directive.ends_with("ifdef")) return is_defined(words[1].text);
    if (directive.ends_with("ifndef")) return negated(is_defined(words[1].text));
    const bool negates = words[1].is("!");
    std::size_t at = negates ? 2 : 1;
    const bool asks = at < words.size() && words[at].is("defined");
    if (asks) ++at;
    const bool bracketed = at + 2 < words.size() && words[at].is("(") && words[at + 2].is(")");
    if (bracketed) ++at;
    if (words.size() != at + (bracketed ? 2U : 1U)) return std::nullopt;
    const std::optional<bool> holds = asks ? is_defined(words[at].text) : is_true(words[at]);
    return negates ? negated(holds) : holds;
  }

  static std::optional<bool> negated(std::optional<bool> holds) {
    return holds ? std::optional(!*holds) : std::nullopt;
  }

  [[nodiscard]] std::optional<bool> is_defined(const std::string& name) const {
    if (certainly_defined_.contains(name)) return true;
    const bool is_reserved = name.starts_with("__") || name.starts_with("MYLOS_");
    const bool is_mentioned = macros_.contains(name) || function_like_.contains(name);
    return others_are_undefined_ && !is_reserved && !is_mentioned ? std::optional(false) : std::nullopt;
  }

  static std::optional<bool> truth(const Token& value) {
    if (value.is("true") || value.is("false")) return value.is("true");
    const bool is_decimal = value.kind == TokenKind::number && std::ranges::all_of(value.text, is_digit);
    return is_decimal ? std::optional(value.text.find_first_not_of('0') != std::string::npos) : std::nullopt;
  }

  // A number, or a macro that is one.
  [[nodiscard]] std::optional<bool> is_true(const Token& word) const {
    if (word.kind != TokenKind::identifier || word.is("true") || word.is("false")) return truth(word);
    const std::optional<bool> defined = is_defined(word.text);
    if (!defined || !*defined) return defined;
    const auto macro = macros_.find(word.text);
    const bool is_one_word =
        macro != macros_.end() && !macro->second.ambiguous && macro->second.replacement.size() == 1;
    return is_one_word ? truth(macro->second.replacement[0]) : std::nullopt;
  }

  void include(const Token& word) {
    if (auto file = file_name(word)) {
      includes_.push_back(std::move(*file));
    } else {
      obstacle(word.line, "#include of a name that is made by the macro " + word.text);
    }
  }

  void define(const Tokens& words, bool blank_after_name) {
    const std::string& name = words[1].text;
    if (!blank_after_name && words.size() > 2 && words[2].is("(")) {
      function_like_.insert(name);
      return;
    }
    Tokens replacement(words.begin() + 2, words.end());
    const auto [found, is_new] = macros_.try_emplace(name, Macro{replacement});
    if (is_new) return;
    const auto same = [](const Token& a, const Token& b) { return a.text == b.text; };
    if (!std::ranges::equal(found->second.replacement, replacement, same)) found->second.ambiguous = true;
  }

  // Replaces object-like macros; `active` are those being replaced, which a macro may name without end.
  Tokens expanded(const Tokens& tokens, const std::set<std::string>& active) {
    if (macros_.empty()) return tokens;
    Tokens result;
    for (const Token& token : tokens) {
      if (active.empty()) expansions_left_ = 1000;
      const auto macro = token.kind == TokenKind::identifier ? macros_.find(token.text) : macros_.end();
      if (macro == macros_.end() || macro->second.ambiguous || active.contains(token.text) || --expansions_left_ < 0) {
        result.push_back(token);
        continue;
      }
      std::set<std::string> inner = active;
      inner.insert(token.text);
      for (Token& piece : expanded(macro->second.replacement, inner)) {
        piece.line = token.line;
        result.push_back(std::move(piece));
      }
    }
    return result;
  }

  Cursor cursor_;
  bool keeps_tokens_;
  bool at_line_start_ = true;
  Tokens tokens_;
  std::vector<Include> includes_;
  std::vector<Include> questions_;
  MacroNames asking_macros_;
  std::vector<std::string> obstacles_;
  std::vector<Condition> conditions_;
  std::map<std::string, Macro, std::less<>> macros_;
  std::set<std::string> function_like_;
  std::set<std::string> certainly_defined_;  // whatever the text's conditionals mean
  bool others_are_undefined_ = false;
  int expansions_left_ = 0;  // for one token of the text: macros that double themselves grow without bound otherwise
};

}  // namespace

TokenizedText tokenize(std::string_view source, const KnownMacros& macros) { return Tokenizer(source, macros).run(); }

TokenizedText read_directives(std::string_view source, const MacroNames& asking) {
  return Tokenizer(source, asking).run();
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
