// SPDX-License-Identifier: MIT
#include "jit/parameters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 10> fundamental_words = {"signed", "unsigned", "short", "long",   "int",
                                                                "char",   "bool",     "float", "double", "void"};

// Words that say nothing about how an argument is passed.
constexpr std::array<std::string_view, 14> ignored_words = {
    "volatile", "typename",          "struct",       "class",        "enum",
    "union",    "template",          "register",     "__restrict__", "__restrict",
    "restrict", "__grid_constant__", "__volatile__", "constexpr"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 46> names_of_types = {{
    {"int8_t", "signed char"},
    {"uint8_t", "unsigned char"},
    {"int16_t", "short"},
    {"uint16_t", "unsigned short"},
    {"int32_t", "int"},
    {"uint32_t", "unsigned int"},
    {"int64_t", "long long"},
    {"uint64_t", "unsigned long long"},
    {"int_least8_t", "signed char"},
    {"uint_least8_t", "unsigned char"},
    {"int_least16_t", "short"},
    {"uint_least16_t", "unsigned short"},
    {"int_least32_t", "int"},
    {"uint_least32_t", "unsigned int"},
    {"int_least64_t", "long long"},
    {"uint_least64_t", "unsigned long long"},
    {"int_fast8_t", "signed char"},
    {"uint_fast8_t", "unsigned char"},
    {"int_fast64_t", "long long"},
    {"uint_fast64_t", "unsigned long long"},
    {"intmax_t", "long long"},
    {"uintmax_t", "unsigned long long"},
    {"intptr_t", "long long"},
    {"uintptr_t", "unsigned long long"},
    {"ptrdiff_t", "long long"},
    {"size_t", "unsigned long long"},
    {"ssize_t", "long long"},
    {"index_type", "long long"},
    {"__int8_t", "signed char"},
    {"__uint8_t", "unsigned char"},
    {"__int16_t", "short"},
    {"__uint16_t", "unsigned short"},
    {"__int32_t", "int"},
    {"__uint32_t", "unsigned int"},
    {"__int64_t", "long long"},
    {"__uint64_t", "unsigned long long"},
    {"uchar", "unsigned char"},
    {"ushort", "unsigned short"},
    {"uint", "unsigned int"},
    {"ulong", "unsigned long long"},
    {"half", "__half"},
    {"nv_bfloat16", "__nv_bfloat16"},
    {"half2", "__half2"},
    {"nv_bfloat162", "__nv_bfloat162"},
    {"cuFloatComplex", "float2"},
    {"cuDoubleComplex", "double2"},
}};

std::optional<std::string_view> canonical_name(std::string_view name) {
  for (const auto& [alias, type] : names_of_types) {
    if (alias == name) return type;
  }
  return std::nullopt;
}

bool is_word(const Token& token) { return token.kind == TokenKind::identifier || token.kind == TokenKind::number; }

// Takes out every `const` that is not inside of template arguments; tells how many there were.
std::size_t drop_const(Tokens& tokens) {
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("<")) i = std::min(closing(tokens, i), tokens.size() - 1);
    if (!tokens[i].is("const")) continue;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i--));
    ++dropped;
  }
  return dropped;
}

void drop_ignored_words(Tokens& tokens) {
  std::erase_if(tokens, [](const Token& token) { return is_one_of(token.text, ignored_words); });
}

// `long unsigned int` and the like: the words may come in any order.
std::string canonical_fundamental(const Tokens& words) {
  const auto count = [&](std::string_view word) {
    return std::ranges::count_if(words, [&](const Token& token) { return token.is(word); });
  };
  for (const std::string_view whole : {"bool", "float", "void"}) {
    if (count(whole) > 0) return std::string(whole);
  }
  if (count("double") > 0) return count("long") > 0 ? "long double" : "double";
  const bool is_unsigned = count("unsigned") > 0;
  if (count("char") > 0) return is_unsigned ? "unsigned char" : count("signed") > 0 ? "signed char" : "char";
  const std::string size = count("short") > 0 ? "short" : count("long") > 0 ? "long long" : "int";
  return is_unsigned ? "unsigned " + size : size;
}

// Name without namespaces that hold nothing but names every kernel text may also use without them.
void drop_known_namespaces(Tokens& type) {
  const auto starts_with = [&](std::initializer_list<std::string_view> words) {
    return type.size() > words.size() && std::equal(words.begin(), words.end(), type.begin(),
                                                    [](std::string_view word, const Token& t) { return t.is(word); });
  };
  if (starts_with({"::"})) type.erase(type.begin());
  if (starts_with({"mylos", "::", "device", "::"})) type.erase(type.begin(), type.begin() + 4);
  if (starts_with({"mylos", "::"}) || starts_with({"device", "::"})) type.erase(type.begin(), type.begin() + 2);
  if (type.size() == 5 && starts_with({"cuda", "::", "std", "::"}) && canonical_name(type[4].text)) {
    type.erase(type.begin(), type.begin() + 4);
  }
  if (type.size() == 3 && starts_with({"std", "::"}) && canonical_name(type[2].text))
    type.erase(type.begin(), type.begin() + 2);
}

// A template's arguments in canonical form: types as types, values as they stand.
std::string canonical_arguments(const Tokens& arguments, const Aliases& aliases) {
  std::string text;
  for (const Tokens& argument : split_at_commas(arguments)) {
    if (!text.empty()) text += ", ";
    const bool is_type = !argument.empty() && argument.front().kind == TokenKind::identifier;
    if (!is_type) {
      text += spelled(argument);
      continue;
    }
    const Parameter parsed = parse_parameter(argument, aliases);
    text += parsed.name.empty() && parsed.kind != ParameterKind::other ? to_string(parsed) : spelled(argument);
  }
  return text;
}

int literal_rank(const Tokens& argument) {
  Tokens digits = argument;
  while (digits.size() >= 3 && digits.front().is("(") && digits.back().is(")"))
    digits = Tokens(digits.begin() + 1, digits.end() - 1);
  if (digits.size() != 1) return 0;
  int rank = 0;
  std::from_chars(digits[0].text.data(), digits[0].text.data() + digits[0].text.size(), rank);
  return rank;
}

// Where the base type ends and * and & begin.
std::size_t end_of_base(const Tokens& type) {
  for (std::size_t i = 0; i < type.size(); ++i) {
    if (type[i].is("<")) {
      i = std::min(closing(type, i), type.size() - 1);
    } else if (type[i].is("*") || type[i].is("&") || type[i].is("&&")) {
      return i;
    }
  }
  return type.size();
}

class ParameterParser {
 public:
  ParameterParser(Tokens tokens, const Aliases& aliases) : tokens_(std::move(tokens)), aliases_(aliases) {}

  Parameter parse() {
    drop_default();
    drop_attributes();
    parameter_.declaration = spelled(tokens_);
    drop_ignored_words(tokens_);
    if (is_odd_declarator()) return other();
    const int array_dimensions = take_array_brackets();
    take_name();
    expand_aliases();
    classify(array_dimensions);
    return std::move(parameter_);
  }

 private:
  void drop_default() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].is("(") || tokens_[i].is("[") || tokens_[i].is("{") || tokens_[i].is("<")) {
        const std::size_t close = closing(tokens_, i);
        if (close < tokens_.size()) i = close;
      } else if (tokens_[i].is("=")) {
        tokens_.resize(i);
      }
    }
  }

  void drop_attributes() {
    for (std::size_t i = 0; i + 1 < tokens_.size();) {
      const bool bracketed = tokens_[i].is("[") && tokens_[i + 1].is("[");
      const bool named = (tokens_[i].is("__attribute__") || tokens_[i].is("alignas") || tokens_[i].is("__declspec")) &&
                         tokens_[i + 1].is("(");
      if (!bracketed && !named) {
        ++i;
        continue;
      }
      const std::size_t close = closing(tokens_, bracketed ? i : i + 1);
      tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(i),
                    tokens_.begin() + static_cast<std::ptrdiff_t>(std::min(close + 1, tokens_.size())));
    }
  }

  // Pointers to functions, references to arrays, packs and variadic parameters: `void (*f)(int)`, `float (&a)[3]`.
  bool is_odd_declarator() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].is("...")) return true;
      if (tokens_[i].is("<")) {
        const std::size_t close = closing(tokens_, i);
        if (close < tokens_.size()) i = close;
      } else if (tokens_[i].is("(")) {
        const std::size_t close = std::min(closing(tokens_, i), tokens_.size());
        for (std::size_t j = close; j-- > i + 1;) {
          if (tokens_[j].kind != TokenKind::identifier || tokens_[j].is("const")) continue;
          parameter_.name = tokens_[j].text;
          tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(j));
          break;
        }
        return true;
      }
    }
    return false;
  }

  Parameter other() {
    parameter_.kind = ParameterKind::other;
    if (!tokens_.empty() && tokens_.size() >= 2 && tokens_[tokens_.size() - 2].is("...") &&
        tokens_.back().kind == TokenKind::identifier) {
      parameter_.name = tokens_.back().text;
      tokens_.pop_back();
    }
    parameter_.type = spelled(tokens_);
    return std::move(parameter_);
  }

  int take_array_brackets() {
    int dimensions = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].is("<")) i = std::min(closing(tokens_, i), tokens_.size() - 1);
      if (!tokens_[i].is("[")) continue;
      const std::size_t close = std::min(closing(tokens_, i) + 1, tokens_.size());
      tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(i),
                    tokens_.begin() + static_cast<std::ptrdiff_t>(close));
      ++dimensions;
      --i;
    }
    return dimensions;
  }

  // The last word is the name if a type remains without it.
  void take_name() {
    if (tokens_.size() < 2 || tokens_.back().kind != TokenKind::identifier) return;
    if (is_one_of(tokens_.back().text, fundamental_words) || tokens_.back().is("const")) return;
    const Token& before = tokens_[tokens_.size() - 2];
    if (before.is("::")) return;
    const bool only_const_before =
        std::all_of(tokens_.begin(), tokens_.end() - 1, [](const Token& token) { return token.is("const"); });
    if (only_const_before) return;
    parameter_.name = tokens_.back().text;
    tokens_.pop_back();
  }

  // `const alias` of a pointer is a const pointer, not a pointer to const: that const says nothing to a caller.
  void expand_aliases() {
    for (int replaced = 0; replaced < 64; ++replaced) {
      const auto is_alias = [&](const Token& token) { return aliases_.contains(token.text); };
      const auto found = std::ranges::find_if(tokens_, is_alias);
      if (found == tokens_.end() || (found != tokens_.begin() && (found - 1)->is("::"))) return;
      const std::string name = found->text;
      const auto is_name = [&](const Token& token) { return token.text == name; };
      const Alias& alias = aliases_.find(name)->second;
      const auto arguments = alias_arguments(alias, static_cast<std::size_t>(found - tokens_.begin()));
      if (!arguments) return;
      Tokens replacement = with_arguments(alias, *arguments);
      drop_ignored_words(replacement);
      if (std::ranges::any_of(replacement, is_name)) return;
      if (end_of_base(replacement) < replacement.size()) {
        drop_const(tokens_);
      }
      auto place = std::ranges::find_if(tokens_, is_name);
      if (!arguments->empty()) {
        const auto last = closing(tokens_, static_cast<std::size_t>(place - tokens_.begin()) + 1);
        tokens_.erase(place + 1, tokens_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
      }
      place = tokens_.erase(place);
      tokens_.insert(place, replacement.begin(), replacement.end());
    }
  }

  // Those that stand behind the name at `place`, none where it is no template; nothing where they do not fit.
  [[nodiscard]] std::optional<std::vector<Tokens>> alias_arguments(const Alias& alias, std::size_t place) const {
    if (alias.parameters.empty()) return std::vector<Tokens>();
    if (place + 1 >= tokens_.size() || !tokens_[place + 1].is("<")) return std::nullopt;
    const std::size_t close = closing(tokens_, place + 1);
    if (close >= tokens_.size()) return std::nullopt;
    auto arguments = split_at_commas(Tokens(tokens_.begin() + static_cast<std::ptrdiff_t>(place) + 2,
                                            tokens_.begin() + static_cast<std::ptrdiff_t>(close)));
    return arguments.size() == alias.parameters.size() ? std::optional(std::move(arguments)) : std::nullopt;
  }

  static Tokens with_arguments(const Alias& alias, const std::vector<Tokens>& arguments) {
    Tokens result;
    for (const Token& token : alias.meaning) {
      const auto parameter = std::ranges::find(alias.parameters, token.text);
      if (parameter == alias.parameters.end() || token.text.empty()) {
        result.push_back(token);
      } else {
        const Tokens& argument = arguments[static_cast<std::size_t>(parameter - alias.parameters.begin())];
        // "const T" of a pointer is a const pointer.
        const bool moves_const =
            end_of_base(argument) < argument.size() && !result.empty() && result.back().is("const");
        const Token qualifier = moves_const ? result.back() : Token();
        if (moves_const) result.pop_back();
        result.insert(result.end(), argument.begin(), argument.end());
        if (moves_const) result.push_back(qualifier);
      }
    }
    return result;
  }

  void classify(int array_dimensions) {
    const std::size_t end = end_of_base(tokens_);
    Tokens base(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(end));
    const bool base_is_const = drop_const(base) > 0;
    int stars = 0;
    for (std::size_t i = end; i < tokens_.size(); ++i) {
      if (tokens_[i].is("*")) ++stars;
      if (tokens_[i].is("&") || tokens_[i].is("&&")) parameter_.kind = ParameterKind::other;
    }
    const int levels = stars + array_dimensions;
    if (parameter_.kind == ParameterKind::other || array_dimensions > 1 || levels > 8) {
      parameter_.kind = ParameterKind::other;
      parameter_.type = parameter_.declaration;
      return;
    }
    if (levels > 0) {
      parameter_.kind = ParameterKind::pointer;
      parameter_.is_pointer = true;
      parameter_.is_const = levels == 1 && base_is_const;
      parameter_.type = (levels > 1 && base_is_const ? "const " : "") + canonical(base, aliases_) +
                        std::string(static_cast<std::size_t>(levels - 1), '*');
      return;
    }
    if (!take_array(base)) parameter_.type = canonical(base, aliases_);
  }

  // Array<T, R> and ContiguousArray<T, R> of mylos::device.
  bool take_array(Tokens base) {
    drop_known_namespaces(base);
    if (base.size() < 4 || !base[1].is("<") || closing(base, 1) + 1 != base.size()) return false;
    const bool contiguous = base[0].is("ContiguousArray");
    if (!contiguous && !base[0].is("Array")) return false;
    const auto arguments = split_at_commas(Tokens(base.begin() + 2, base.end() - 1));
    if (arguments.size() != 2) return false;
    const Parameter element = ParameterParser(arguments[0], aliases_).parse();
    parameter_.kind = contiguous ? ParameterKind::contiguous_array : ParameterKind::array;
    const auto is_const = [](const Token& token) { return token.is("const"); };
    parameter_.is_const =
        element.is_pointer ? arguments[0].back().is("const") : std::ranges::any_of(arguments[0], is_const);
    parameter_.type = element.is_pointer ? to_string(element) : element.type;
    parameter_.rank = literal_rank(arguments[1]);
    return true;
  }

  Tokens tokens_;
  const Aliases& aliases_;
  Parameter parameter_;
};

}  // namespace

std::string spelled(const Tokens& tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (i > 0) {
      const Token& before = tokens[i - 1];
      const bool words = is_word(before) && is_word(token);
      const bool after_star =
          (before.is("*") || before.is("&") || before.is("&&") || before.is(">") || before.is("...")) && is_word(token);
      const bool after_comma = before.is(",");
      const bool before_declarator =
          is_word(before) && token.is("(") && i + 1 < tokens.size() && (tokens[i + 1].is("*") || tokens[i + 1].is("&"));
      const bool star_in_brackets = before.is("(") || before.is("::");
      if ((words || (after_star && !(i > 1 && tokens[i - 2].is("("))) || after_comma || before_declarator) &&
          !star_in_brackets)
        text += ' ';
    }
    text += token.text;
  }
  return text;
}

void drop_qualifiers(Tokens& type) {
  drop_const(type);
  drop_ignored_words(type);
}

std::string canonical(Tokens type, const Aliases& aliases) {
  drop_qualifiers(type);
  if (type.empty()) return {};
  const auto fundamental = [](const Token& token) { return is_one_of(token.text, fundamental_words); };
  if (std::ranges::all_of(type, fundamental)) return canonical_fundamental(type);
  Tokens name = type;
  drop_known_namespaces(name);
  if (name.size() == 1) {
    if (const auto known = canonical_name(name[0].text)) return std::string(*known);
  }
  std::size_t open = 0;
  while (open < name.size() && !name[open].is("<")) ++open;
  if (open == 0 || open == name.size() || closing(name, open) + 1 != name.size()) return spelled(type);
  std::string text = spelled(Tokens(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(open)));
  if (text == "complex") text = "mylos::complex";
  return text + "<" +
         canonical_arguments(Tokens(name.begin() + static_cast<std::ptrdiff_t>(open) + 1, name.end() - 1), aliases) +
         ">";
}

Parameter parse_parameter(Tokens tokens, const Aliases& aliases) {
  return ParameterParser(std::move(tokens), aliases).parse();
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
