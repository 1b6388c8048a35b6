// SPDX-License-Identifier: MIT
// What was copied: numbers, and the events behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/core/copy_events.hpp>

namespace mylos::inline MYLOS_ABI {

/// "to host", "to device", "on the device", "on the host", "wait", "fallback".
MYLOS_EXPORT std::string_view to_string(CopyKind kind);

/// One event, kept.
struct TransferEvent {
  CopyKind kind = CopyKind::wait;
  std::size_t bytes = 0;
  std::string destination,
      source;  ///< labels of the Views; of a wait, `source` is what waited; of a fallback, the Kernel
  std::string
      place;  ///< "push.cpp:31", the call of Mylos' function; empty for a Kokkos::deep_copy of the program's own
  std::string region;        ///< the thread's Regions, "step/push"; empty outside of all
  std::uint64_t thread = 0;  ///< 1 is the first thread of the process that had an event

  friend bool operator==(const TransferEvent&, const TransferEvent&) = default;
};

/// The numbers are exact; of the events the first `most_events` are kept, the later half of them for transfers and
/// fallbacks alone: waits and copies within a side do not take their room.
///
/// Transfers are `to_host` and `to_device`. `device_copy` and `host_copy` stay on their side. `fallback`: calls of a
/// Kernel that has no port and ran on copies, which are counted as well. `sync`: waits of the host for the device.
struct TransferCounts : CopyCounts {
  static constexpr std::size_t most_events = 1000;

  std::vector<TransferEvent> events;
  /// False: another tool has Kokkos' callbacks for copies, or Kokkos' tools are paused, when this is asked or another
  /// scope begins. Copies that only Kokkos tells of may be missing: docs/transfers.md says which.
  bool complete = true;

  /// A table of at most 80 columns: a line for each kind, then one for each pair of Views and place, the most bytes
  /// first.
  [[nodiscard]] MYLOS_EXPORT std::string report() const;
  [[nodiscard]] MYLOS_EXPORT std::string to_json() const;
  MYLOS_EXPORT TransferCounts& operator+=(const TransferCounts& other);
  /// Counts the event, and keeps it while there is room.
  MYLOS_EXPORT void add(const CopyEvent& event);
};

}  // namespace mylos::inline MYLOS_ABI
