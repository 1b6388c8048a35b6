// SPDX-License-Identifier: MIT
#include "core/allocation_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace mylos::inline MYLOS_ABI::detail {

void AllocationTable::add(const void* base, std::size_t bytes, std::string_view label) {
  const std::lock_guard lock(mutex_);
  entries_.emplace(static_cast<const std::byte*>(base), Entry{bytes, std::string(label)});
  sums_.used += bytes;
  sums_.high_water = std::max(sums_.high_water, sums_.used);
}

bool AllocationTable::remove(const void* base) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(static_cast<const std::byte*>(base));
  if (found == entries_.end()) return false;
  removals_.fetch_add(1, std::memory_order_release);
  sums_.used -= found->second.bytes;
  entries_.erase(found);
  return true;
}

const AllocationTable::Entry* AllocationTable::find(const void* address) const {
  const auto* const wanted = static_cast<const std::byte*>(address);
  auto after = entries_.upper_bound(wanted);
  if (after == entries_.begin()) return nullptr;
  --after;
  return wanted <= after->first + after->second.bytes ? &after->second : nullptr;
}

std::optional<std::string> AllocationTable::label(const void* address) const {
  const std::lock_guard lock(mutex_);
  const Entry* const found = find(address);
  if (found == nullptr) return std::nullopt;
  return found->label;
}

namespace {

/// Addresses that this thread found in a table, which are there still if nothing was removed since.
struct Recent {
  const void* table = nullptr;
  std::uint64_t removals = 0;
  std::array<const void*, 64> addresses{};

  const void*& slot(const void* address) { return addresses[reinterpret_cast<std::uintptr_t>(address) / 128 % 64]; }
};

}  // namespace

// A launch asks it for each of its Views.
bool AllocationTable::holds(const void* address) const {
  thread_local Recent recent;
  const std::uint64_t removals = removals_.load(std::memory_order_acquire);
  if (recent.table != this || recent.removals != removals) recent = {.table = this, .removals = removals};
  const void*& slot = recent.slot(address);
  if (slot == address) return true;
  const std::lock_guard lock(mutex_);
  if (find(address) == nullptr) return false;
  slot = address;
  return true;
}

AllocationTable::Sums AllocationTable::sums() const {
  const std::lock_guard lock(mutex_);
  return sums_;
}

std::string AllocationTable::largest() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Entry*> sorted;
  sorted.reserve(entries_.size());
  for (const auto& [base, entry] : entries_) sorted.push_back(&entry);
  const std::size_t shown = std::min<std::size_t>(sorted.size(), 5);
  std::ranges::partial_sort(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(shown),
                            [](const Entry* a, const Entry* b) { return a->bytes > b->bytes; });
  std::string text;
  for (std::size_t n = 0; n < shown; ++n) {
    text += fmt::format("{}'{}' {} bytes", n > 0 ? ", " : "", sorted[n]->label, sorted[n]->bytes);
  }
  return text.empty() ? "nothing" : text;
}

std::vector<void*> AllocationTable::take_all() {
  const std::lock_guard lock(mutex_);
  std::vector<void*> bases;
  bases.reserve(entries_.size());
  for (const auto& [base, entry] : entries_) bases.push_back(const_cast<std::byte*>(base));
  removals_.fetch_add(1, std::memory_order_release);
  entries_.clear();
  sums_.used = 0;
  return bases;
}

}  // namespace mylos::inline MYLOS_ABI::detail
