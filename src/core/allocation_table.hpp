// SPDX-License-Identifier: MIT
// What is allocated on a device, by address: for labels in messages and for the sums that memory_info() tells.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Safe from any thread.
class AllocationTable {
 public:
  struct Sums { std::size_t used = 0, high_water = 0; };

  void add(const void* base, std::size_t bytes, std::string_view label);
  /// False when no allocation begins there.
  [[nodiscard]] bool remove(const void* base);
  /// The label of the allocation that holds the address; nothing when none does. Its end is taken as part of it: an
  /// empty View begins there.
  [[nodiscard]] std::optional<std::string> label(const void* address) const;
  [[nodiscard]] bool holds(const void* address) const;
  [[nodiscard]] Sums sums() const;
  /// "'density' 8192 bytes, 'velocity' 4096 bytes": the largest ones.
  [[nodiscard]] std::string largest() const;
  /// Empties it; what was in it.
  [[nodiscard]] std::vector<void*> take_all();

 private:
  struct Entry {
    std::size_t bytes;
    std::string label;
  };

  [[nodiscard]] const Entry* find(const void* address) const;

  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> removals_ = 0;
  std::map<const std::byte*, Entry> entries_;
  Sums sums_;
};

}  // namespace mylos::inline MYLOS_ABI::detail
