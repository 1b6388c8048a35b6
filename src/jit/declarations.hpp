// SPDX-License-Identifier: MIT
// Where kernels are declared in a text: scopes are followed, bodies are skipped.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

#include "jit/tokens.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {

// What a type's name stands for, with the names of its parameters where it is a template.
struct Alias {
  Tokens meaning;
  std::vector<std::string> parameters = {};
};
using Aliases = std::map<std::string, Alias, std::less<>>;

// One declaration with __global__ in it, cut into its parts.
struct KernelDeclaration {
  std::string name;
  std::string scope;  // "app::kernels::", empty at the top
  int line = 0;
  bool is_extern_c = false;
  bool has_internal_linkage = false;
  bool is_definition = false;
  Tokens template_parameters;  // between < and > of its head
  Tokens parameters;           // between the parentheses
  std::size_t body_begin = 0;  // tokens of the text between its braces
  std::size_t body_end = 0;

  [[nodiscard]] std::string qualified_name() const { return scope + name; }
  [[nodiscard]] bool is_called(std::string_view wanted) const { return name == wanted || qualified_name() == wanted; }
};

struct ScannedText {
  std::vector<KernelDeclaration> kernels;
  Aliases aliases;  // using and typedef at namespace scope
  std::vector<std::string> function_like_macros;
  Tokens tokens;  // of the whole text
  std::vector<Include> includes;
};

ScannedText scan(std::string_view source, const KnownMacros& macros = {});

// The index of the token that closes the bracket at `open` ((, [, { or <), or tokens.size(). A < is closed by the
// first > that stands in no inner bracket.
std::size_t closing(const Tokens& tokens, std::size_t open);

// Cut at commas that stand in no bracket; nothing for no tokens. `text<a, b>` stays together.
std::vector<Tokens> split_at_commas(const Tokens& tokens);

// The parameter "class T = int" of a template: its name, empty where it has none, and its default.
struct TemplateParameter {
  std::string name;
  Tokens otherwise;
};
std::vector<TemplateParameter> template_parameters(const Tokens& head);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
