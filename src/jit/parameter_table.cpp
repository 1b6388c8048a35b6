// SPDX-License-Identifier: MIT
#include "jit/parameter_table.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/jit/source.hpp>

#include "base/elf_file.hpp"
#include "jit/embedded.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

constexpr std::string_view variable = "mylos_parameters";

[[noreturn]] void fail(std::string_view why) {
  throw Error(
      fmt::format("the compiled kernel is damaged: its table of parameters {}: compile it again (mylos cache "
                  "clear), and check the disk",
                  why));
}

// The number that a text begins with, taken off.
std::uint64_t take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc()) fail("has no number where one must be");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// ".global .align 4 .b8 mylos_parameters[100] = {3, 0, 0, ...};": zeros at the end may be left out, and all of them.
std::optional<std::string> bytes_in_ptx(std::string_view text) {
  const std::string declaration = fmt::format(".b8 {}[", variable);
  const auto begin = text.find(declaration);
  if (begin == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(begin + declaration.size());
  rest = rest.substr(0, rest.find(';'));
  const std::uint64_t size = take_number(rest);
  if (size > text.size()) fail("is longer than the text");
  std::string bytes;
  const auto list = rest.find('{');
  rest.remove_prefix(std::min(list, rest.size()));
  while (!rest.empty() && rest.front() != '}') {
    rest.remove_prefix(std::min(rest.find_first_not_of("{, \n"), rest.size()));
    const std::uint64_t value = take_number(rest);
    if (value > 255 || bytes.size() == size) fail("has a byte that is none");
    bytes.push_back(static_cast<char>(value));
  }
  if (list != std::string_view::npos && rest.empty()) fail("does not end");
  bytes.resize(size, '\0');
  return bytes;
}

std::optional<std::string> bytes_in_cubin(std::string_view image) {
  const mylos::detail::ElfFile file(image, "the compiled kernel");
  const auto& symbols = file.symbols();
  const auto found = std::ranges::find(symbols, variable, &mylos::detail::ElfFile::Symbol::name);
  if (found == symbols.end()) return std::nullopt;
  return file.content(*found);
}

TypeClass type_class(unsigned value) {
  switch (value) {
    case mylos_other: return TypeClass::other;
    case mylos_boolean: return TypeClass::boolean;
    case mylos_signed_integer: return TypeClass::signed_integer;
    case mylos_unsigned_integer: return TypeClass::unsigned_integer;
    case mylos_floating: return TypeClass::floating;
    case mylos_pointer: return TypeClass::pointer;
    case mylos_array: return TypeClass::array;
    case mylos_contiguous_array: return TypeClass::contiguous_array;
    default: fail("has a type of an unknown class");
  }
}

}  // namespace

std::string with_parameter_table(std::string_view text, std::string_view file, std::string_view expression) {
  const std::string_view scope = expression.starts_with("::") ? "" : "::";
  return fmt::format("#include \"{}\"\n{}{}\n{}extern \"C\" __device__ const mylos_table<decltype(&{}{})> {} = {{}};\n",
                     parameter_texts.front().name, line_directive(file), text,
                     line_directive(fmt::format("parameters of kernel {}", expression)), scope, expression, variable);
}

std::vector<ParameterLayout> layouts_of(std::span<const mylos_parameter> parameters) {
  std::vector<ParameterLayout> layouts;
  for (const mylos_parameter& parameter : parameters) {
    layouts.push_back({.size = parameter.size,
                       .alignment = parameter.alignment,
                       .element_size = parameter.element_size,
                       .element_alignment = parameter.element_alignment,
                       .type = type_class(parameter.type),
                       .element_type = type_class(parameter.element_type),
                       .element_is_const = parameter.element_is_const != 0,
                       .rank = static_cast<int>(parameter.rank)});
  }
  return layouts;
}

std::vector<ParameterLayout> parameters_in(std::string_view image) {
  const bool is_cubin = mylos::detail::ElfFile::is_elf(image);
  const auto bytes = is_cubin ? bytes_in_cubin(image) : bytes_in_ptx(image);
  if (!bytes) return {};
  unsigned count = 0;
  if (bytes->size() < sizeof count) fail("has no length");
  std::memcpy(&count, bytes->data(), sizeof count);
  const std::string_view rows = std::string_view(*bytes).substr(sizeof count);
  if (rows.size() / sizeof(mylos_parameter) != std::size_t{count} + 1) fail("has another length than it says");
  std::vector<mylos_parameter> parameters(count);
  if (count > 0) std::memcpy(parameters.data(), rows.data(), count * sizeof(mylos_parameter));
  return layouts_of(parameters);
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
