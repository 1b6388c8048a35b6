// SPDX-License-Identifier: MIT
#include "transfers/limits.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "transfers/transfer_table.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// One number against one limit. `what`: "to host".
void compare(std::vector<std::string>& found, const std::string& phase, std::string_view what, std::string_view of,
             std::int64_t number, std::int64_t limit, std::string_view limit_name) {
  if (number <= limit) return;
  found.push_back(fmt::format("phase '{}': {} {}{}, and {} allows {}", phase, number, of, what, limit_name, limit));
}

// The event that a violation is shown by: the largest of its kind, where that was kept.
std::string example(const PhaseCounts& did, CopyKind kind, std::int64_t largest) {
  const TransferEvent* shown = nullptr;
  for (const TransferEvent& event : did.transfers.events) {
    if (event.kind == kind && (shown == nullptr || event.bytes > shown->bytes)) shown = &event;
  }
  if (shown == nullptr || static_cast<std::int64_t>(shown->bytes) != largest) return {};
  const std::string where = shown->place.empty() ? shown->region : shown->place;
  return fmt::format("; the largest: {}, {} bytes{}",
                     between({.kind = kind, .destination = shown->destination, .source = shown->source}), shown->bytes,
                     where.empty() ? "" : ", " + where);
}

struct Direction {
  CopyKind kind;
  std::string_view name;  // in Limits
  const TransferLimit& limit;
  std::int64_t count, bytes, largest;
};

void compare(std::vector<std::string>& found, const std::string& phase, const PhaseCounts& did,
             const Direction& direction) {
  const auto& [max_count, max_bytes, max_total_bytes] = direction.limit;
  const std::size_t before = found.size();
  const std::string_view what = to_string(direction.kind);
  const auto name = [&](std::string_view member) { return fmt::format("{}.{}", direction.name, member); };
  if (!max_count && !max_bytes && !max_total_bytes) {
    if (direction.count > 0) {
      found.push_back(fmt::format("phase '{}': {} transfers {} ({} bytes), and {} allows none", phase, direction.count,
                                  what, direction.bytes, direction.name));
    }
  }
  if (max_count) compare(found, phase, what, "transfers ", direction.count, *max_count, name("max_count"));
  if (max_bytes) compare(found, phase, what, "bytes at once ", direction.largest, *max_bytes, name("max_bytes"));
  if (max_total_bytes) {
    compare(found, phase, what, "bytes in all ", direction.bytes, *max_total_bytes, name("max_total_bytes"));
  }
  if (found.size() > before) found.back() += example(did, direction.kind, direction.largest);
}

void require_natural(const std::string& phase, std::string_view name, std::int64_t limit) {
  if (limit >= 0) return;
  throw ValueError(
      fmt::format("mylos::TransferBudget::require: phase '{}': {} is {}: give 0 or more, or "
                  "mylos::unlimited",
                  phase, name, limit));
}

}  // namespace

void require_natural(const std::string& phase, const Limits& limits) {
  const auto check = [&](const std::string& name, const std::optional<std::int64_t>& limit) {
    if (limit) require_natural(phase, name, *limit);
  };
  for (const auto& [name, limit] : {std::pair<std::string, TransferLimit>("to_host", limits.to_host),
                                    std::pair<std::string, TransferLimit>("to_device", limits.to_device)}) {
    check(name + ".max_count", limit.max_count);
    check(name + ".max_bytes", limit.max_bytes);
    check(name + ".max_total_bytes", limit.max_total_bytes);
  }
  check("fallback", limits.fallback);
  check("device_copy", limits.device_copy);
  check("host_copy", limits.host_copy);
  check("sync", limits.sync);
  check("calls", limits.calls);
}

void add_violations(std::vector<std::string>& found, const std::string& phase, const PhaseCounts& did,
                    const Limits& limits) {
  const TransferCounts& counts = did.transfers;
  if (limits.calls && did.calls != *limits.calls) {
    found.push_back(fmt::format("phase '{}' ran {} times, and calls asks for {}", phase, did.calls, *limits.calls));
  } else if (!limits.calls && did.calls == 0) {
    found.push_back(fmt::format(
        "phase '{}' never ran: nothing is known of it: is the name right? (.calls = 0 asks for that)", phase));
  }
  compare(found, phase, did,
          {CopyKind::to_host, "to_host", limits.to_host, counts.to_host, counts.bytes_to_host, did.largest_to_host});
  compare(found, phase, did,
          {CopyKind::to_device, "to_device", limits.to_device, counts.to_device, counts.bytes_to_device,
           did.largest_to_device});
  compare(found, phase, "", "fallbacks to the host", counts.fallback, limits.fallback, "fallback");
  if (limits.device_copy) {
    compare(found, phase, "on the device", "copies ", counts.device_copy, *limits.device_copy, "device_copy");
  }
  if (limits.host_copy)
    compare(found, phase, "on the host", "copies ", counts.host_copy, *limits.host_copy, "host_copy");
  if (limits.sync) compare(found, phase, "", "waits for the device", counts.sync, *limits.sync, "sync");
  if (!counts.complete) {
    found.push_back(fmt::format(
        "phase '{}': another tool took Kokkos' callbacks for copies, so its numbers are not complete", phase));
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
