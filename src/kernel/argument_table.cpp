// SPDX-License-Identifier: MIT
#include "kernel/argument_table.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

std::string row(std::size_t number, bool marked, const std::string& left, std::size_t width, const std::string& right) {
  return fmt::format("\n{} {:>2}  {:<{}}  {}", marked ? "->" : "  ", number + 1, left, width, right);
}

bool contains(std::span<const std::size_t> numbers, std::size_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

}  // namespace

std::string value_name(const ArgumentType& type) {
  switch (type.kind) {
    case ValueKind::boolean: return "bool";
    case ValueKind::complex64: return "complex<float>";
    case ValueKind::complex128: return "complex<double>";
    default: return demangled(type.value_type->name());
  }
}

std::string type_name(const ArgumentType& type) {
  if (!type.is_view) return value_name(type);
  return fmt::format("View<{}{}{}, {}>", type.is_const ? "const " : "", value_name(type),
                     std::string(static_cast<std::size_t>(type.rank), '*'), type.space);
}

std::string describe(const Argument& argument) {
  if (!argument.type->is_view) return type_name(*argument.type);
  return fmt::format("'{}' ({}, extents {})", argument.label(), type_name(*argument.type),
                     tuple_text(argument.shape()));
}

std::string declaration(const Parameter& parameter) { return parameter.declaration; }

std::string side_by_side(std::string_view left_title, std::string_view right_title, std::span<const TableRow> rows) {
  std::size_t width = left_title.size();
  for (const TableRow& each : rows) width = std::max(width, each.left.size());
  std::string table = fmt::format("\n       {:<{}}  {}", left_title, width, right_title);
  for (std::size_t i = 0; i < rows.size(); ++i) table += row(i, rows[i].marked, rows[i].left, width, rows[i].right);
  return table;
}

std::string side_by_side(const Signature& signature, const Arguments& arguments, std::span<const std::size_t> marked) {
  std::vector<TableRow> rows(std::max(signature.parameters.size(), arguments.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < signature.parameters.size()) rows[i].left = declaration(signature.parameters[i]);
    if (i < arguments.size()) rows[i].right = describe(arguments[i]);
    rows[i].marked = contains(marked, i);
  }
  return side_by_side("parameter", "argument", rows);
}

std::string argument_list(const Arguments& arguments, std::span<const std::size_t> marked) {
  std::string table;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    table += row(i, contains(marked, i), describe(arguments[i]), 0, "");
    table.erase(table.find_last_not_of(' ') + 1);
  }
  return table;
}

}  // namespace mylos::inline MYLOS_ABI::detail
