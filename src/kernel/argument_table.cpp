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

std::string side_by_side(const Signature& signature, const Arguments& arguments, std::span<const std::size_t> marked) {
  const std::size_t rows = std::max(signature.parameters.size(), arguments.size());
  std::vector<std::string> left(rows, "(none)"), right(rows, "(none)");
  std::ranges::transform(signature.parameters, left.begin(), declaration);
  std::transform(arguments.begin(), arguments.end(), right.begin(), describe);
  std::size_t width = std::string("parameter").size();
  for (const std::string& text : left) width = std::max(width, text.size());

  std::string table = fmt::format("\n       {:<{}}  argument", "parameter", width);
  for (std::size_t i = 0; i < rows; ++i) table += row(i, contains(marked, i), left[i], width, right[i]);
  return table;
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
