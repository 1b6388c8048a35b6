// SPDX-License-Identifier: MIT
#include <mylos/jit/signature.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>

#include "jit/declarations.hpp"
#include "jit/options.hpp"
#include "jit/parameters.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

std::string type_text(const Parameter& parameter) {
  const std::string element = (parameter.is_const ? "const " : "") + parameter.type;
  const std::string rank = parameter.rank > 0 ? std::to_string(parameter.rank) : "?";
  switch (parameter.kind) {
    case ParameterKind::pointer: return element + "*";
    case ParameterKind::array: return fmt::format("mylos::Array<{}, {}>", element, rank);
    case ParameterKind::contiguous_array: return fmt::format("mylos::ContiguousArray<{}, {}>", element, rank);
    case ParameterKind::value:
    case ParameterKind::other: break;
  }
  return parameter.type;
}

}  // namespace

std::string to_string(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::other) return parameter.declaration;
  return type_text(parameter) + (parameter.name.empty() ? "" : " " + parameter.name);
}

std::string to_string(const Signature& signature) {
  std::vector<std::string> parameters;
  parameters.reserve(signature.parameters.size());
  for (const Parameter& parameter : signature.parameters) parameters.push_back(to_string(parameter));
  return fmt::format("{}({})", signature.name, fmt::join(parameters, ", "));
}

namespace jit {
namespace {

using detail::KernelDeclaration;
using detail::Tokens;

// A template's head "class T, int N = 3" as names and default texts.
void read_template_parameters(const KernelDeclaration& kernel, Signature& signature) {
  for (const auto& [name, otherwise] : detail::template_parameters(kernel.template_parameters)) {
    signature.template_parameters.push_back(name);
    signature.template_defaults.push_back(detail::spelled(otherwise));
  }
}

Signature signature_of(const KernelDeclaration& kernel, const detail::ScannedText& text) {
  Signature signature;
  signature.name = kernel.name;
  signature.qualified_name = kernel.qualified_name();
  signature.is_extern_c = kernel.is_extern_c;
  signature.has_internal_linkage = kernel.has_internal_linkage;
  signature.line = kernel.line;
  read_template_parameters(kernel, signature);
  detail::Aliases aliases = text.aliases;
  for (const std::string& name : signature.template_parameters) aliases.erase(name);
  const bool no_parameters = kernel.parameters.size() == 1 && kernel.parameters[0].is("void");
  if (no_parameters) return signature;
  for (const Tokens& tokens : detail::split_at_commas(kernel.parameters)) {
    signature.parameters.push_back(detail::parse_parameter(tokens, aliases));
  }
  return signature;
}

// What makes two declarations overloads of each other, not a declaration and its definition.
std::string overload_key(const Signature& signature) {
  std::string key = signature.qualified_name;
  for (const Parameter& parameter : signature.parameters) {
    key += parameter.kind == ParameterKind::other ? "|" + parameter.type : "|" + type_text(parameter);
  }
  return key;
}

// One signature for each kernel of that name; a definition's parameter names win over a declaration's.
std::vector<Signature> signatures_named(const detail::ScannedText& text, std::string_view name) {
  std::vector<Signature> found;
  for (const KernelDeclaration& kernel : text.kernels) {
    if (!kernel.is_called(name)) continue;
    Signature signature = signature_of(kernel, text);
    const std::string key = overload_key(signature);
    const auto same = std::ranges::find_if(found, [&](const Signature& other) { return overload_key(other) == key; });
    if (same == found.end()) {
      found.push_back(std::move(signature));
    } else {
      signature.is_extern_c |= same->is_extern_c;
      signature.has_internal_linkage |= same->has_internal_linkage;
      if (kernel.is_definition) *same = std::move(signature);
    }
  }
  return found;
}

std::vector<std::string> names_in(const detail::ScannedText& text) {
  std::vector<std::string> names;
  for (const KernelDeclaration& kernel : text.kernels) {
    const bool shared = std::ranges::any_of(text.kernels, [&](const KernelDeclaration& other) {
      return other.name == kernel.name && other.scope != kernel.scope;
    });
    std::string name = shared ? kernel.qualified_name() : kernel.name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

[[noreturn]] void not_found(const detail::ScannedText& text, std::string_view name) {
  const auto names = names_in(text);
  const std::string known = names.empty() ? "no kernel (no __global__ function written out)"
                                          : fmt::format("the kernels {}", fmt::join(names, ", "));
  // "__global__ int k(": what is between must be void.
  for (std::size_t i = 1; i + 1 < text.tokens.size(); ++i) {
    const detail::Token& before = text.tokens[i - 1];
    const bool is_type = before.kind == detail::TokenKind::identifier && !before.is("void") && !before.is("__global__");
    if (!text.tokens[i].is(name) || !text.tokens[i + 1].is("(") || !is_type || i < 2) continue;
    if (!text.tokens[i - 2].is("__global__")) continue;
    throw SignatureError(
        fmt::format("kernel '{}' (line {}) returns {}: a kernel returns nothing: declare it __global__ void, and write "
                    "results through a pointer",
                    name, text.tokens[i].line, before.text));
  }
  const bool mentioned = std::ranges::any_of(text.tokens, [&](const detail::Token& token) { return token.is(name); });
  const std::string hint =
      mentioned ? fmt::format(
                      "'{}' stands in the text, perhaps as a macro's argument: write the kernel's declaration "
                      "out (\"extern \\\"C\\\" __global__ void {}(...);\" is enough), or use another name",
                      name, name)
                : "check the name; kernels in included files and those that macros generate are not seen: write their "
                  "declaration out";
  throw LookupError(fmt::format("kernel '{}' was not found by text scan: the text has {}: {}", name, known, hint));
}

[[noreturn]] void ambiguous(const std::vector<Signature>& found, std::string_view name) {
  std::string list;
  for (const Signature& signature : found) {
    list += fmt::format("\n  line {}: {}{}", signature.line,
                        signature.qualified_name.substr(0, signature.qualified_name.size() - signature.name.size()),
                        to_string(signature));
  }
  throw SignatureError(
      fmt::format("kernel name '{}' stands for {} kernels: a kernel is launched by its name alone: "
                  "name one of them with its namespace, or rename the overloads{}",
                  name, found.size(), list));
}

// Function-like macros among the parameters hide how many there are.
void refuse_macros(const detail::ScannedText& text, std::string_view name) {
  for (const KernelDeclaration& kernel : text.kernels) {
    if (!kernel.is_called(name)) continue;
    for (const detail::Token& token : kernel.parameters) {
      if (std::ranges::find(text.function_like_macros, token.text) == text.function_like_macros.end()) continue;
      throw SignatureError(
          fmt::format("kernel '{}' (line {}) takes parameters from the macro {}: the text scan does not "
                      "expand macros with arguments: write the parameters out",
                      name, kernel.line, token.text));
    }
  }
}

[[noreturn]] void refuse_instantiation(const Signature& signature, std::string_view instantiate, std::string_view why) {
  const std::string example = signature.is_template() ? fmt::format("{}<{}>", signature.qualified_name,
                                                                    fmt::join(signature.template_parameters, ", "))
                                                      : "nothing: the kernel is no template";
  throw SignatureError(fmt::format("kernel '{}' cannot be instantiated as '{}': {}: give {}", signature.qualified_name,
                                   instantiate, why, example));
}

Signature with_arguments(const Signature& signature, const std::vector<Tokens>& arguments,
                         std::string_view instantiate) {
  if (arguments.size() > signature.template_parameters.size()) {
    refuse_instantiation(signature, instantiate, "it has too many template arguments");
  }
  detail::Aliases values;
  for (std::size_t i = 0; i < signature.template_parameters.size(); ++i) {
    Tokens value = i < arguments.size() ? arguments[i] : detail::tokenize(signature.template_defaults[i]).tokens;
    if (value.empty()) {
      refuse_instantiation(signature, instantiate,
                           fmt::format("template parameter '{}' has no argument", signature.template_parameters[i]));
    }
    values.insert_or_assign(signature.template_parameters[i], detail::Alias{std::move(value)});
  }
  Signature result = signature;
  for (Parameter& parameter : result.parameters) {
    // A rank that depends on the template stands in the declaration only.
    const bool is_array = parameter.kind == ParameterKind::array || parameter.kind == ParameterKind::contiguous_array;
    const bool as_written = parameter.kind == ParameterKind::other || (is_array && parameter.rank == 0);
    std::string declaration = parameter.declaration;
    const std::string text = as_written ? declaration : to_string(parameter);
    parameter = detail::parse_parameter(detail::tokenize(text).tokens, values);
    parameter.declaration = std::move(declaration);
  }
  result.template_parameters.clear();
  result.template_defaults.clear();
  return result;
}

}  // namespace

std::vector<std::string> kernel_names(std::string_view source) { return names_in(detail::scan(source)); }

Signature parse_signature(std::string_view source, std::string_view name, std::span<const std::string> options) {
  const std::string definitions = detail::definitions_in(options);
  const detail::ScannedText text = detail::scan(source, {.definitions = definitions});
  refuse_macros(text, name);
  std::vector<Signature> found = signatures_named(text, name);
  if (found.empty()) not_found(text, name);
  if (found.size() > 1) {
    auto chosen =
        signatures_named(detail::scan(source, {.definitions = definitions, .others_are_undefined = true}), name);
    if (chosen.size() == 1) return std::move(chosen.front());
    ambiguous(found, name);
  }
  return std::move(found.front());
}

Signature instantiated(const Signature& signature, std::string_view instantiate) {
  const Tokens tokens = detail::tokenize(instantiate).tokens;
  const auto open = static_cast<std::size_t>(
      std::ranges::find_if(tokens, [](const detail::Token& token) { return token.is("<"); }) - tokens.begin());
  const std::string name = detail::spelled(Tokens(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(open)));
  const bool closed = open == tokens.size() || detail::closing(tokens, open) + 1 == tokens.size();
  if (!closed || (!tokens.empty() && name != signature.name && name != signature.qualified_name)) {
    refuse_instantiation(signature, instantiate, "it is not the kernel's name with its arguments in < >");
  }
  std::vector<Tokens> arguments;
  if (open < tokens.size()) {
    arguments =
        detail::split_at_commas(Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(open) + 1, tokens.end() - 1));
  }
  return with_arguments(signature, arguments, instantiate);
}

std::string kernel_expression(const Signature& signature, std::string_view instantiate, std::string_view file) {
  if (signature.has_internal_linkage) {
    throw SignatureError(
        fmt::format("kernel '{}' ({} line {}) is static or in an unnamed namespace: no compiler keeps it "
                    "for others to launch: take 'static' away, or give the namespace a name",
                    signature.name, file, signature.line));
  }
  static_cast<void>(instantiated(signature, instantiate));  // throws when the arguments do not fit
  if (instantiate.empty()) return signature.qualified_name + (signature.is_template() ? "<>" : "");
  if (instantiate.starts_with(signature.qualified_name)) return std::string(instantiate);
  const std::string scope = signature.qualified_name.substr(0, signature.qualified_name.size() - signature.name.size());
  return fmt::format("{}{}", scope, instantiate);
}

std::string canonical_type(std::string_view type) {
  const Parameter parsed = detail::parse_parameter(detail::tokenize(type).tokens, {});
  return parsed.kind == ParameterKind::other ? std::string(parsed.type) : type_text(parsed);
}

}  // namespace jit
}  // namespace mylos::inline MYLOS_ABI
