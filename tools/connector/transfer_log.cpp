// SPDX-License-Identifier: MIT
#include "transfer_log.hpp"

#include <vector>

#include <nlohmann/json.hpp>

#include <mylos/transfers/counts.hpp>

namespace mylos_connector {

void TransferLog::add(const mylos::CopyEvent& event, std::string_view where) {
  const std::lock_guard lock(mutex_);
  counts_.add(event);
  Key key(event.kind, event.destination, event.source, where);
  if (groups_.size() >= most_groups && !groups_.contains(key)) key = Key(event.kind, "", "", "(others)");
  mylos::detail::TransferRow& row = groups_[key];
  if (row.count == 0) std::tie(row.kind, row.destination, row.source, row.where) = key;
  ++row.count;
  row.bytes += static_cast<std::int64_t>(event.bytes);
}

std::vector<mylos::detail::TransferRow> TransferLog::rows() const {
  std::vector<mylos::detail::TransferRow> rows;
  for (const auto& [key, row] : groups_) rows.push_back(row);
  return rows;
}

std::string TransferLog::report() const {
  const std::lock_guard lock(mutex_);
  return mylos::detail::table_of(counts_, rows());
}

std::string TransferLog::json() const {
  const std::lock_guard lock(mutex_);
  nlohmann::ordered_json all = {{"to_host", counts_.to_host},
                                {"to_device", counts_.to_device},
                                {"device_copy", counts_.device_copy},
                                {"host_copy", counts_.host_copy},
                                {"sync", counts_.sync},
                                {"bytes_to_host", counts_.bytes_to_host},
                                {"bytes_to_device", counts_.bytes_to_device}};
  auto& groups = all["groups"] = nlohmann::ordered_json::array();
  for (const mylos::detail::TransferRow& row : rows()) {
    groups.push_back({{"kind", mylos::to_string(row.kind)},
                      {"destination", row.destination},
                      {"source", row.source},
                      {"region", row.where},
                      {"count", row.count},
                      {"bytes", row.bytes}});
  }
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace mylos_connector
