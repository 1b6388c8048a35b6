// SPDX-License-Identifier: MIT
// Everything that a process copied, grouped as it comes: memory does not grow with the number of copies.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include <mylos/core/copy_events.hpp>

#include "transfers/transfer_table.hpp"

namespace mylos_connector {

class TransferLog {
 public:
  /// Groups beyond are counted together.
  static constexpr std::size_t most_groups = 10'000;

  /// From any thread. `where`: the region it happened in.
  void add(const mylos::CopyEvent& event, std::string_view where);
  [[nodiscard]] std::string report() const;
  [[nodiscard]] std::string json() const;

 private:
  using Key = std::tuple<mylos::CopyKind, std::string, std::string, std::string>;
  [[nodiscard]] std::vector<mylos::detail::TransferRow> rows() const;

  mutable std::mutex mutex_;
  mylos::CopyCounts counts_;
  std::map<Key, mylos::detail::TransferRow> groups_;
};

}  // namespace mylos_connector
