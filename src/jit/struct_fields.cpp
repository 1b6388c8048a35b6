// SPDX-License-Identifier: MIT
#include "jit/struct_fields.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "jit/declarations.hpp"
#include "jit/parameter_table.hpp"
#include "jit/parameters.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

using Names = std::vector<std::string>;
using Classes = std::map<std::string, Names, std::less<>>;

bool is_identifier(const Token& token) { return token.kind == TokenKind::identifier; }

template <std::size_t n>
bool is_one_of(const Token& token, const std::array<std::string_view, n>& words) {
  return std::ranges::find(words, token.text) != words.end();
}

void add_new(Names& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// Where the head that begins behind `struct` has its body, and what it names; no body for all that is no definition.
struct ClassHead {
  std::string name;
  std::size_t body;  // of the {, or tokens.size()
};

ClassHead head_at(const Tokens& tokens, std::size_t i) {
  ClassHead head{{}, tokens.size()};
  for (bool in_bases = false; i < tokens.size(); ++i) {
    if (tokens[i].is("{")) {
      head.body = i;
      return head;
    }
    if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("<")) {
      i = std::min(closing(tokens, i), tokens.size() - 1);
    } else if (tokens[i].is(":")) {
      in_bases = true;
    } else if (is_identifier(tokens[i])) {
      if (!in_bases && !tokens[i].is("final")) head.name = tokens[i].text;
    } else if (!tokens[i].is("::") && !(in_bases && tokens[i].is(","))) {
      return head;
    }
  }
  return head;
}

bool begins_class(const Tokens& tokens, std::size_t i) {
  static constexpr std::array<std::string_view, 3> words = {"struct", "class", "union"};
  return is_one_of(tokens[i], words) && (i == 0 || !tokens[i - 1].is("enum"));
}

// The fields that the members between two tokens declare.
class Members {
 public:
  static Names between(const Tokens& tokens, std::size_t first, std::size_t last) {
    Members members(tokens);
    members.read(first, last);
    return std::move(members.names_);
  }

 private:
  explicit Members(const Tokens& tokens) : tokens_(tokens) {}

  void read(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Token& token = tokens_[i];
      if (token.is(";")) {
        finish();
      } else if (token.is("{")) {
        i = body(i, last);
      } else if (token.is("(") || token.is("[")) {
        i = group(i, last);
      } else if (token.is(":") && is_label()) {
        statement_.clear();
      } else {
        statement_.push_back(token);
      }
    }
  }

  [[nodiscard]] bool is_label() const {
    static constexpr std::array<std::string_view, 3> labels = {"public", "private", "protected"};
    return statement_.size() == 1 && is_one_of(statement_.front(), labels);
  }

  // Of what stands in brackets only that it is there counts; of attributes nothing.
  std::size_t group(std::size_t open, std::size_t last) {
    static constexpr std::array<std::string_view, 4> attributes = {"alignas", "__align__", "__attribute__",
                                                                   "__declspec"};
    const std::size_t close = std::min(closing(tokens_, open), last);
    if (tokens_[open].is("[") && open + 1 < last && tokens_[open + 1].is("[")) return close;
    if (tokens_[open].is("(") && !statement_.empty() && is_one_of(statement_.back(), attributes)) {
      statement_.pop_back();
    } else {
      statement_.push_back(tokens_[open]);
    }
    return close;
  }

  // A function ends with its body; behind that of a class its objects may follow. The members of a class without name
  // and objects are members of the class outside.
  std::size_t body(std::size_t open, std::size_t last) {
    const std::size_t close = std::min(closing(tokens_, open), last);
    const bool is_function = std::ranges::any_of(statement_, [](const Token& token) { return token.is("("); });
    const bool is_class = !statement_.empty() && begins_class(statement_, 0);
    const bool has_objects = close + 1 < last && !tokens_[close + 1].is(";");
    if (is_function) {
      statement_.clear();
    } else if (!is_class) {
      statement_.push_back(tokens_[open]);
    } else if (!has_objects) {
      const bool has_name = statement_.size() > 1;
      statement_.clear();
      if (!has_name) read(open + 1, close);
      statement_.clear();
    }
    return close;
  }

  // "double x[3], *y = nullptr": the words before what ends a name.
  void finish() {
    static constexpr std::array<std::string_view, 7> no_fields = {"using", "typedef",  "friend",       "static",
                                                                  "enum",  "template", "static_assert"};
    const Tokens statement = std::exchange(statement_, {});
    const auto value = std::ranges::find_if(statement, [](const Token& token) { return token.is("="); });
    const bool has_fields = std::none_of(statement.begin(), value, [](const Token& token) {
      return token.is("(") || token.is("operator") || is_one_of(token, no_fields);
    });
    if (!has_fields) return;
    bool is_initialiser = false;
    for (std::size_t i = 1; i <= statement.size(); ++i) {
      if (i < statement.size() && statement[i].is("<") && is_identifier(statement[i - 1])) {
        i = std::min(closing(statement, i), statement.size() - 1);
        continue;
      }
      const bool ends = i == statement.size() || statement[i].is(",");
      const bool ends_name = ends || statement[i].is("[") || statement[i].is("=") || statement[i].is("{");
      if (ends_name && !is_initialiser && i >= 2 && is_identifier(statement[i - 1]))
        add_new(names_, statement[i - 1].text);
      is_initialiser = !ends && (is_initialiser || statement[i].is("=") || statement[i].is("{"));
    }
  }

  const Tokens& tokens_;
  Tokens statement_;  // since the last ; or body
  Names names_;
};

void add_classes(const Tokens& tokens, Classes& classes) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!begins_class(tokens, i)) continue;
    const auto [name, body] = head_at(tokens, i + 1);
    if (body == tokens.size()) continue;
    const std::size_t end = closing(tokens, body);
    const Names fields = Members::between(tokens, body + 1, end);
    const auto add_to = [&](const std::string& of_class) {
      for (const std::string& field : fields) add_new(classes[of_class], field);
    };
    if (!name.empty()) add_to(name);
    const bool is_typedef = i > 0 && tokens[i - 1].is("typedef") && end + 1 < tokens.size();
    if (is_typedef && is_identifier(tokens[end + 1])) add_to(tokens[end + 1].text);
  }
}

// "app::Pair<double, 2>" is "Pair".
std::string_view plain_name(std::string_view type) {
  type = type.substr(0, type.find('<'));
  const auto colons = type.rfind("::");
  return colons == std::string_view::npos ? type : type.substr(colons + 2);
}

// Classes of several texts.
class KnownClasses {
 public:
  void add(std::string_view text) {
    ScannedText scanned = scan(text);
    add_classes(scanned.tokens, classes_);
    aliases_.merge(scanned.aliases);
  }

  [[nodiscard]] const Names* find(std::string_view type) const {
    std::string name(plain_name(type));
    for (int replaced = 0; replaced < 8; ++replaced) {
      if (const auto found = classes_.find(name); found != classes_.end()) return &found->second;
      const auto alias = aliases_.find(name);
      if (alias == aliases_.end()) return nullptr;
      name = plain_name(spelled(alias->second.meaning));
    }
    return nullptr;
  }

 private:
  Classes classes_;
  Aliases aliases_;
};

bool may_be_class(const Parameter& parameter) {
  static constexpr std::array<std::string_view, 6> fundamental = {"bool", "char", "int", "float", "double", "void"};
  return parameter.kind != ParameterKind::other && !parameter.type.ends_with('*') &&
         std::ranges::find(fundamental, parameter.type) == fundamental.end() &&
         plain_name(parameter.type).find(' ') == std::string_view::npos;
}

}  // namespace

Classes class_fields(std::string_view text) {
  Classes classes;
  add_classes(tokenize(text).tokens, classes);
  return classes;
}

std::vector<AskedField> fields_to_ask(const Signature& signature, std::string_view text,
                                      const std::function<std::vector<IncludedFile>()>& included) {
  std::vector<AskedField> asked;
  KnownClasses known;
  const std::vector<Parameter>& parameters = signature.parameters;
  if (std::ranges::none_of(parameters, may_be_class)) return asked;
  known.add(text);
  const auto is_unknown = [&](const Parameter& parameter) {
    return may_be_class(parameter) && known.find(parameter.type) == nullptr;
  };
  if (std::ranges::any_of(parameters, is_unknown)) {
    for (const IncludedFile& file : included()) known.add(file.text);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Names* const names = may_be_class(parameters[i]) ? known.find(parameters[i].type) : nullptr;
    if (names == nullptr) continue;
    for (const std::string& name : *names) asked.push_back({i, name});
  }
  return asked;
}

std::vector<AskedField> fields_to_ask(std::string_view name, std::string_view instantiate,
                                      std::span<const std::string> options, std::string_view text,
                                      const std::function<std::vector<IncludedFile>()>& included) {
  try {
    return fields_to_ask(instantiated(parse_signature(text, name, options), instantiate), text, included);
  } catch (const Error&) {
    return {};  // a kernel that only a compiler can read
  }
}

std::string field_table(std::span<const AskedField> fields, std::string_view kernel, std::string_view specifiers) {
  std::string texts, rows, names;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto& [parameter, name] = fields[i];
    const auto number = static_cast<std::size_t>(std::ranges::find(fields, name, &AskedField::name) - fields.begin());
    const bool is_first = number == i;
    // A name that is a macro, too, is not asked for.
    if (is_first) {
      texts += fmt::format(
          "template <class mylos_t, class = int> struct mylos_field_{0} : mylos_no_field {{}};\n"
          "#ifndef {1}\n"
          "template <class mylos_t> struct mylos_field_{0}<mylos_t, typename "
          "mylos_member<decltype(&mylos_plain<mylos_t>::mylos_type::{1})>::mylos_type>\n"
          "    : mylos_some_field<decltype(mylos_t::{1}), MYLOS_PLACE(mylos_t, {1})> {{}};\n"
          "#endif\n",
          number, name);
    }
    rows += fmt::format("{}\n    mylos_field_of<{}, mylos_field_{}<mylos_argument<{}, decltype({})>::mylos_type>>",
                        i == 0 ? "" : ",", parameter, number, parameter, kernel);
    names += name + ' ';
  }
  return fmt::format(
      "{0}{1} const mylos_field_table<{2}> mylos_fields = {{}};\n{1} const char mylos_field_names[] = \"{3}\";\n",
      texts, specifiers, rows, names);
}

std::vector<std::vector<FieldLayout>> fields_of(std::span<const mylos_field> fields, std::string_view names) {
  std::vector<std::vector<FieldLayout>> layouts;
  for (const mylos_field& field : fields) {
    const std::size_t blank = names.find(' ');
    if (blank == std::string_view::npos || field.parameter >= 4096)
      throw_damaged_table("names other fields than it has");
    const std::string_view name = names.substr(0, blank);
    names.remove_prefix(blank + 1);
    if (field.is_there == 0) continue;
    if (layouts.size() <= field.parameter) layouts.resize(field.parameter + 1);
    layouts[field.parameter].push_back({.name = std::string(name),
                                        .offset = field.offset,
                                        .size = field.size,
                                        .type = type_class(field.type),
                                        .type_size = field.type_size,
                                        .element_type = type_class(field.element_type),
                                        .element_size = field.element_size});
  }
  return layouts;
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
