// SPDX-License-Identifier: MIT
// A host functor and its port, compared parameter by parameter.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/kernel/detail/kernel_base.hpp>

#include "kernel/argument_table.hpp"
#include "kernel/parameter_type.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

using Types = std::span<const ArgumentType* const>;

constexpr const char* unpassable = "no argument can be passed to such a parameter";

/// Whether the port has a class of the functor's name, and has it elsewhere only. A name that it does not have proves
/// nothing: it may be an alias, or another struct of the same layout.
bool is_elsewhere(const Signature& port, std::size_t i, const ArgumentType& functor) {
  if (functor.kind != ValueKind::other) return false;
  const std::string name = value_name(functor);
  const auto has_name = [own = without_namespaces(name)](const Parameter& parameter) {
    return without_namespaces(parameter.type) == own;
  };
  return !has_name(port.parameters[i]) && std::ranges::any_of(port.parameters, has_name);
}

std::string_view difference_of_views(const Parameter& port, const ArgumentType& functor, bool takes_flat) {
  if (port.is_const != functor.is_const) return "const on one side only";
  if (port.kind != ParameterKind::pointer) return port.rank == functor.rank ? "" : "another rank";
  if (functor.rank <= 1 || takes_flat) return {};
  return "a pointer does not tell the order of its axes: an array of that rank does";
}

/// Why what fits the functor's parameter does not fit the port's with that number; empty where it does.
std::string_view difference(const Signature& signature, std::size_t i, const ArgumentType& functor, bool takes_flat) {
  const Parameter& port = signature.parameters[i];
  if (port.kind == ParameterKind::other) return unpassable;
  if (functor.is_view != (port.kind != ParameterKind::value)) return "a View on one side only";
  const ElementType element = element_type(port.type);
  const bool same_kind = functor.is_view || functor.kind == element.kind || !element.is_known();
  const bool same = same_element(functor, element) && same_kind;
  if (!same || is_elsewhere(signature, i, functor)) return "another type";
  return functor.is_view ? difference_of_views(port, functor, takes_flat) : "";
}

std::vector<TableRow> compared_rows(const Signature& port, Types functor, bool takes_flat) {
  std::vector<TableRow> rows(std::max(port.parameters.size(), functor.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool in_port = i < port.parameters.size(), in_functor = i < functor.size();
    if (in_port) rows[i].left = declaration(port.parameters[i]);
    if (in_functor) rows[i].right = type_name(*functor[i]);
    const std::string_view why =
        in_port && in_functor ? difference(port, i, *functor[i], takes_flat) : "no counterpart";
    rows[i].marked = !why.empty();
    if (rows[i].marked) rows[i].right.append(": ").append(why);
  }
  return rows;
}

/// The port's list beside one word.
std::vector<TableRow> port_rows(const Signature& port, const std::string& functor) {
  std::vector<TableRow> rows;
  rows.reserve(port.parameters.size());
  for (const Parameter& parameter : port.parameters) rows.push_back({declaration(parameter), functor});
  return rows;
}

std::vector<TableRow> generic_rows(const Signature& port) {
  std::vector<TableRow> rows = port_rows(port, "(generic)");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (port.parameters[i].kind == ParameterKind::other) rows[i] = {rows[i].left, unpassable, true};
  }
  return rows;
}

struct Comparison {
  std::string verdict;
  std::vector<TableRow> rows;

  [[nodiscard]] bool agrees() const { return std::ranges::none_of(rows, &TableRow::marked); }
  [[nodiscard]] std::string table() const { return side_by_side("port", "functor", rows); }
};

Comparison compared(const CudaKernel& port, const std::optional<FunctorParameters>& functor) {
  const Signature& signature = port.signature();
  const CudaOptions& options = port.options();
  if (!options.check_signature) {
    return {"not checked: CudaOptions::check_signature is off", port_rows(signature, "(not checked)")};
  }
  Comparison result;
  if (functor) {
    const Types arguments = functor->arguments(signature.parameters.size());
    result = {"functor and port agree", compared_rows(signature, arguments, options.flat_layout.has_value())};
  } else {
    result = {"generic functor: checked at the call", generic_rows(signature)};
  }
  if (!result.agrees()) result.verdict = "functor and port differ";
  return result;
}

}  // namespace

void KernelBase::check_signature() const {
  if (!cuda_) return;
  const Comparison found = compared(*cuda_, functor_parameters_);
  if (found.agrees()) return;
  throw SignatureError(
      fmt::format("kernel '{}': its port does not take what its functor takes: one call must fit both: change one of "
                  "the two where they are marked{}",
                  name_, found.table()));
}

std::string KernelBase::signature_table() const {
  if (!cuda_) return name_ + ": no port";
  try {
    const Comparison found = compared(*cuda_, functor_parameters_);
    return fmt::format("{}: {}{}", name_, found.verdict, found.table());
  } catch (const Error& error) {  // of the port's text
    return fmt::format("{}: {}", name_, error.what());
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
