// SPDX-License-Identifier: MIT
#include "catalog_names.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>

#include "jit/tokens.hpp"

namespace mylos_command {
namespace {

// ---- CMake's language, as far as calls need it

struct Word {
  std::string text;
  bool is_plain = true;  // not in quotes or brackets

  [[nodiscard]] bool is(std::string_view other) const { return is_plain && text == other; }
};

// Its words, parentheses among them; no comments.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  // False at the end of the text.
  bool next(Word& word) {
    skip_blanks_and_comments();
    if (at_ >= text_.size()) return false;
    if (const auto content = bracketed()) {
      word = {std::string(*content), false};
    } else if (text_[at_] == '"') {
      ++at_;
      word = {taken_until("\""), false};
      ++at_;
    } else if (text_[at_] == '(' || text_[at_] == ')') {
      word = {std::string(1, text_[at_++]), true};
    } else {
      word = {taken_until(" \t\r\n()#\""), true};
    }
    return true;
  }

 private:
  void skip_blanks_and_comments() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_[at_] != '#') {
        return;
      } else if (++at_; !bracketed()) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      }
    }
  }

  // [[...]], [=[...]=], ...: what is in it; nothing where there is none.
  std::optional<std::string_view> bracketed() {
    if (at_ >= text_.size() || text_[at_] != '[') return std::nullopt;
    const std::size_t second = std::min(text_.find_first_not_of('=', at_ + 1), text_.size());
    if (second == text_.size() || text_[second] != '[') return std::nullopt;
    const std::string close = ']' + std::string(text_.substr(at_ + 1, second - at_ - 1)) + ']';
    const std::size_t end = std::min(text_.find(close, second + 1), text_.size());
    at_ = std::min(end + close.size(), text_.size());
    return text_.substr(second + 1, end - second - 1);
  }

  // A backslash takes the character behind it along.
  std::string taken_until(std::string_view ends) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && ends.find(text_[at_]) == std::string_view::npos) at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool equal_in_any_case(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, [](unsigned char c) { return std::tolower(c); });
}

// The arguments of every call of a command.
std::vector<std::vector<std::string>> calls_of(std::string_view command, std::string_view cmake_text) {
  std::vector<std::vector<std::string>> calls;
  Words words(cmake_text);
  Word word;
  bool is_wanted = false;
  int depth = 0;
  while (words.next(word)) {
    if (word.is("(")) {
      if (depth++ == 0 && is_wanted) calls.emplace_back();
    } else if (word.is(")")) {
      depth = std::max(depth - 1, 0);
    } else if (depth == 0) {
      is_wanted = word.is_plain && equal_in_any_case(word.text, command);
    } else if (is_wanted) {
      calls.back().push_back(std::move(word.text));
    }
  }
  return calls;
}

std::string value_of(const std::vector<std::string>& words, std::string_view keyword) {
  const auto found = std::ranges::find(words, keyword);
  if (found == words.end() || std::next(found) == words.end()) return {};
  std::string value = *std::next(found);
  for (const char* folder : {"CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR", "PROJECT_SOURCE_DIR",
                             "CMAKE_SOURCE_DIR"}) {  // of a project whose only CMakeLists.txt this is
    const std::string begin = fmt::format("${{{}}}/", folder);
    if (value.starts_with(begin)) value.erase(0, begin.size());
  }
  if (value.find('$') == std::string::npos) return value;
  throw mylos::ValueError(fmt::format(
      "CMakeLists.txt has mylos_add_kernels(... {} {}): only CMake knows what this is: give --directory and "
      "--namespace",
      keyword, value));
}

// ---- C++

using mylos::jit::detail::TokenKind;
using mylos::jit::detail::Tokens;

// What `namespace` at `at` opens, "a::b" as two; `at` is then the brace, or what shows that none is opened.
std::vector<std::string> opened_namespace(const Tokens& tokens, std::size_t& at) {
  std::vector<std::string> names;
  for (++at; at < tokens.size() && (tokens[at].is("::") || tokens[at].kind == TokenKind::identifier); ++at) {
    if (!tokens[at].is("::") && !tokens[at].is("inline")) names.push_back(tokens[at].text);
  }
  return names;
}

}  // namespace

std::optional<CatalogCall> catalog_call(std::string_view cmake_text) {
  const auto calls = calls_of("mylos_add_kernels", cmake_text);
  if (calls.size() != 1) return std::nullopt;
  return CatalogCall{.directory = value_of(calls[0], "DIRECTORY"), .name_space = value_of(calls[0], "NAMESPACE")};
}

std::string catalog_namespace(std::string_view header) {
  const Tokens tokens = mylos::jit::detail::tokenize(header).tokens;
  std::vector<std::string> names;    // of the namespaces that are open
  std::vector<std::size_t> outside;  // for each open brace, how many there were before it
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    std::vector<std::string> opened;
    if (tokens[at].is("namespace")) opened = opened_namespace(tokens, at);
    if (at == tokens.size()) break;
    if (tokens[at].is("{")) {
      outside.push_back(names.size());
      names.insert(names.end(), opened.begin(), opened.end());
      if (names.size() > 1 && names.back() == "host" && !opened.empty()) {
        names.pop_back();
        return fmt::format("{}", fmt::join(names, "::"));
      }
    } else if (tokens[at].is("}") && !outside.empty()) {
      names.resize(outside.back());
      outside.pop_back();
    }
  }
  return {};
}

}  // namespace mylos_command
