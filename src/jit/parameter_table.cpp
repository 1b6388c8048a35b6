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

constexpr std::string_view parameters_variable = "mylos_parameters";
constexpr std::string_view fields_variable = "mylos_fields", names_variable = "mylos_field_names";
constexpr std::string_view place_of_table = "parameters of kernel ";  // where errors in what we add are said to be

[[noreturn]] void fail(std::string_view why) { throw_damaged_table(why); }

// The number that a text begins with, taken off.
std::uint64_t take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc()) fail("has no number where one must be");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// ".global .align 4 .b8 mylos_parameters[100] = {3, 0, 0, ...};": zeros at the end may be left out, and all of them.
std::optional<std::string> bytes_in_ptx(std::string_view text, std::string_view variable) {
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

std::optional<std::string> bytes_in_cubin(std::string_view image, std::string_view variable) {
  const mylos::detail::ElfFile file(image, "the compiled kernel");
  const auto& symbols = file.symbols();
  const auto found = std::ranges::find(symbols, variable, &mylos::detail::ElfFile::Symbol::name);
  if (found == symbols.end()) return std::nullopt;
  return file.content(*found);
}

// The bytes of a variable; nothing where the image has none of that name.
std::optional<std::string> bytes_in(std::string_view image, std::string_view variable) {
  return mylos::detail::ElfFile::is_elf(image) ? bytes_in_cubin(image, variable) : bytes_in_ptx(image, variable);
}

// What a table holds: how many rows there are, the rows, and one of zeros.
template <class Row>
std::vector<Row> rows_in(std::string_view bytes) {
  unsigned count = 0;
  if (bytes.size() < sizeof count) fail("has no length");
  bytes.copy(reinterpret_cast<char*>(&count), sizeof count);
  bytes.remove_prefix(sizeof count);
  if (bytes.size() / sizeof(Row) != std::size_t{count} + 1) fail("has another length than it says");
  std::vector<Row> rows(count);
  if (count > 0) std::memcpy(rows.data(), bytes.data(), count * sizeof(Row));
  return rows;
}

}  // namespace

void throw_damaged_table(std::string_view why) {
  throw Error(
      fmt::format("the compiled kernel is damaged: its table of parameters {}: compile it again (mylos cache "
                  "clear), and check the disk",
                  why));
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

std::string with_parameter_table(std::string_view text, std::string_view file, std::string_view expression,
                                 std::span<const AskedField> fields) {
  const std::string kernel = fmt::format("&{}{}", expression.starts_with("::") ? "" : "::", expression);
  constexpr std::string_view specifiers = "extern \"C\" __device__";
  return fmt::format("#include \"{}\"\n{}{}\n{}{} const mylos_table<decltype({})> {} = {{}};\n{}",
                     parameter_texts.front().name, line_directive(file), text,
                     line_directive(fmt::format("{}{}", place_of_table, expression)), specifiers, kernel,
                     parameters_variable, fields.empty() ? "" : field_table(fields, kernel, specifiers));
}

bool is_file_of_table(std::string_view file) {
  return file.starts_with(place_of_table) || file.ends_with(parameter_texts.front().name);
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
  const auto bytes = bytes_in(image, parameters_variable);
  return bytes ? layouts_of(rows_in<mylos_parameter>(*bytes)) : std::vector<ParameterLayout>();
}

std::vector<std::vector<FieldLayout>> fields_in(std::string_view image) {
  const auto bytes = bytes_in(image, fields_variable), names = bytes_in(image, names_variable);
  if (!bytes || !names) return {};
  return fields_of(rows_in<mylos_field>(*bytes), *names);
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
