// SPDX-License-Identifier: MIT
// What `mylos check` found, as a table and as JSON.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check.hpp"
#include "json_text.hpp"

namespace mylos_command {
namespace {

using Row = std::vector<std::string>;

std::string cell(const Outcome& outcome) {
  if (!outcome.skipped.empty()) return outcome.skipped;
  if (!outcome.good()) return "FAILED";
  if (outcome.registers < 0) return "ok";
  std::string text = fmt::format("ok, {} reg", outcome.registers);
  if (outcome.shared_bytes > 0) text += fmt::format(", {} B shared", outcome.shared_bytes);
  if (outcome.spill_bytes > 0) text += fmt::format(", {} B spilled", outcome.spill_bytes);
  return text;
}

Row row_of(const CheckedKernel& kernel) {
  Row row = {kernel.name.empty() ? "-" : kernel.name};
  if (!kernel.error.empty()) row.emplace_back("FAILED");
  for (const Outcome& outcome : kernel.outcomes) row.push_back(cell(outcome));
  row.push_back(kernel.file.string());
  return row;
}

Row heads(const std::vector<CheckedKernel>& kernels) {
  Row row = {"kernel"};
  const auto most = std::ranges::max_element(kernels, {}, [](const CheckedKernel& k) { return k.outcomes.size(); });
  for (const Outcome& outcome : most->outcomes) row.push_back(outcome.target);
  row.emplace_back("file");
  return row;
}

// The last cell of a row stands in the last column, also where cells before it are missing.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      text += fmt::format("{:<{}}  ", i + 1 < row.size() ? row[i] : "", widths[i]);
    }
    text += row.back() + '\n';
  }
  return text;
}

std::string errors(const CheckedKernel& kernel) {
  std::string text;
  if (!kernel.error.empty()) text += fmt::format("\n{}: {}\n", kernel.file.string(), kernel.error);
  for (const Outcome& outcome : kernel.outcomes) {
    if (!outcome.good()) text += fmt::format("\n{}, {}: {}\n", kernel.file.string(), outcome.target, outcome.error);
  }
  return text;
}

}  // namespace

std::string table(const std::vector<CheckedKernel>& kernels) {
  std::vector<Row> rows = {heads(kernels)};
  for (const CheckedKernel& kernel : kernels) rows.push_back(row_of(kernel));
  std::string text = aligned(rows);
  for (const CheckedKernel& kernel : kernels) text += errors(kernel);
  const auto good = std::ranges::count_if(kernels, &CheckedKernel::good);
  return text + fmt::format("\n{} of {} kernels are good\n", good, kernels.size());
}

std::string json(const std::vector<CheckedKernel>& kernels) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const CheckedKernel& kernel : kernels) {
    nlohmann::ordered_json entry = {{"file", kernel.file.string()},  {"name", kernel.name},
                                    {"signature", kernel.signature}, {"good", kernel.good()},
                                    {"error", kernel.error},         {"compiled", nlohmann::ordered_json::array()}};
    for (const Outcome& outcome : kernel.outcomes) {
      nlohmann::ordered_json one = {{"target", outcome.target},
                                    {"good", outcome.good()},
                                    {"error", outcome.error},
                                    {"skipped", outcome.skipped},
                                    {"shared_bytes", outcome.shared_bytes},
                                    {"spill_bytes", outcome.spill_bytes}};
      if (outcome.registers >= 0) one["registers"] = outcome.registers;
      entry["compiled"].push_back(std::move(one));
    }
    all.push_back(std::move(entry));
  }
  return json_text(all);
}

}  // namespace mylos_command
