// SPDX-License-Identifier: MIT
#include "emulator/report_file.hpp"

#include <cstdio>
#include <fstream>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <mylos/base/environment.hpp>
#include <mylos/base/log.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Extents3& extents) {
  Json list = Json::array({extents.x, extents.y, extents.z});
  list.erase(list.begin() + extents.rank, list.end());
  return list;
}

Json json_of(const Site& site) {
  Json object = Json::object();
  if (site.block.given()) object["block"] = json_of(site.block);
  if (site.thread.given()) object["thread"] = json_of(site.thread);
  if (!site.file.empty()) object["file"] = site.file;
  if (site.line != 0) object["line"] = site.line;
  if (site.column != 0) object["column"] = site.column;
  if (!site.source.empty()) object["source"] = site.source;
  if (!site.value.empty()) object["value"] = site.value;
  if (site.order_seed) object["order_seed"] = *site.order_seed;
  return object;
}

}  // namespace

std::string json_line(const Finding& finding) {
  Json object{{"kind", to_string(finding.kind)}, {"kernel", finding.kernel}};
  object["sites"] = Json::array();
  for (const Site& site : finding.sites) object["sites"].push_back(json_of(site));
  if (!finding.label.empty()) object["label"] = finding.label;
  if (!finding.index.empty()) object["index"] = finding.index;
  object["text"] = finding.text;
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_to_report(const std::vector<Finding>& findings) {
  const auto path = environment::text("MYLOS_EMULATOR_REPORT");
  if (!path) return;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (*path == "stderr") {
    std::fputs((report_of(findings, takes_colour(stderr)) + '\n').c_str(), stderr);
    return;
  }
  std::string lines;
  for (const Finding& finding : findings) lines += json_line(finding) + '\n';
  std::ofstream file(*path, std::ios::app | std::ios::binary);  // in one piece: several processes may share it
  file << lines << std::flush;
  if (!file) log::warning(fmt::format("cannot write findings to MYLOS_EMULATOR_REPORT={}", *path));
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
