// SPDX-License-Identifier: MIT
#include <mylos/transfers/counts.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <mylos/transfers/region.hpp>

#include "transfers/counts_json.hpp"
#include "transfers/transfer_table.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local const std::uint64_t number = ++threads;
  return number;
}

std::string place_text(const std::source_location& place) {
  if (place.line() == 0) return {};
  const std::string_view file = place.file_name();
  return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), place.line());
}

const std::string& where(const TransferEvent& event) { return event.place.empty() ? event.region : event.place; }

std::vector<detail::TransferRow> rows_of(const std::vector<TransferEvent>& events) {
  std::map<std::tuple<CopyKind, std::string, std::string, std::string>, std::size_t> known;
  std::vector<detail::TransferRow> rows;
  for (const TransferEvent& event : events) {
    const auto [entry, is_new] =
        known.emplace(std::tuple(event.kind, event.destination, event.source, where(event)), rows.size());
    if (is_new) rows.push_back({event.kind, event.destination, event.source, where(event)});
    detail::TransferRow& row = rows[entry->second];
    ++row.count;
    row.bytes += static_cast<std::int64_t>(event.bytes);
  }
  return rows;
}

}  // namespace

std::string TransferCounts::report() const {
  std::string text = detail::table_of(*this, rows_of(events));
  const std::int64_t all = to_host + to_device + device_copy + host_copy + fallback + sync;
  const std::int64_t dropped = all - static_cast<std::int64_t>(events.size());
  if (dropped > 0) text += fmt::format("and {} later events that are counted above only\n", dropped);
  if (!complete) {
    text += "not complete: another tool took Kokkos' callbacks for copies, or paused them\n";
  }
  return text;
}

std::string TransferCounts::to_json() const { return detail::json_text(detail::json_of(*this)); }

TransferCounts& TransferCounts::operator+=(const TransferCounts& other) {
  CopyCounts::operator+=(other);
  complete = complete && other.complete;
  const std::size_t room = most_events - std::min(most_events, events.size());
  const std::size_t taken = std::min(room, other.events.size());
  // By index: `other` may be this one.
  events.reserve(events.size() + taken);
  for (std::size_t i = 0; i < taken; ++i) events.push_back(other.events[i]);
  return *this;
}

void TransferCounts::add(const CopyEvent& event) {
  CopyCounts::add(event);
  const bool is_transfer =
      event.kind == CopyKind::to_host || event.kind == CopyKind::to_device || event.kind == CopyKind::fallback;
  if (events.size() >= (is_transfer ? most_events : most_events / 2)) return;
  events.push_back({.kind = event.kind,
                    .bytes = event.bytes,
                    .destination = std::string(event.destination),
                    .source = std::string(event.source),
                    .place = place_text(event.place),
                    .region = detail::region_path(),
                    .thread = this_thread()});
}

namespace detail {

std::string json_text(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

Json json_of(const TransferCounts& counts) {
  Json all = {{"to_host", counts.to_host},
              {"to_device", counts.to_device},
              {"device_copy", counts.device_copy},
              {"host_copy", counts.host_copy},
              {"fallback", counts.fallback},
              {"sync", counts.sync},
              {"bytes_to_host", counts.bytes_to_host},
              {"bytes_to_device", counts.bytes_to_device},
              {"complete", counts.complete}};
  Json& events = all["events"] = Json::array();
  for (const TransferEvent& event : counts.events) {
    events.push_back({{"kind", to_string(event.kind)},
                      {"bytes", event.bytes},
                      {"destination", event.destination},
                      {"source", event.source},
                      {"place", event.place},
                      {"region", event.region},
                      {"thread", event.thread}});
  }
  return all;
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
