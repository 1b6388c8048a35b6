// SPDX-License-Identifier: MIT
#include "emulator/registry.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "emulator/arena.hpp"
#include "emulator/shadow.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t guard = 256;
// Freed addresses rest until this much was freed after them. Small blocks keep their pages meanwhile.
constexpr std::size_t quarantine_bytes = std::size_t{256} << 20;
constexpr std::size_t large_bytes = std::size_t{64} << 10;

std::size_t machine_memory() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

Registry& Registry::instance() {
  static auto* const registry = new Registry(Arena::instance());  // never destroyed, as the arena
  return *registry;
}

Registry::Registry(Arena& arena) : arena_(arena) { usage_.capacity = std::min(machine_memory(), arena.size() / 2); }

void* Registry::allocate(std::size_t bytes, std::string_view label) {
  const std::lock_guard lock(mutex_);
  const auto refuse = [&] {
    return OutOfMemory(
        fmt::format("cannot allocate {} bytes for '{}' on the emulated device: {} of {} bytes are in "
                    "use by {} allocations: free some, or run a smaller case",
                    bytes, label, usage_.in_use, usage_.capacity, usage_.count));
  };
  if (bytes > usage_.capacity - usage_.in_use) throw refuse();
  const std::optional<Block> block = take(guard + (bytes + alignment - 1) / alignment * alignment + guard);
  if (!block) throw refuse();
  const std::size_t payload = block->begin + guard;
  live_.emplace(payload, Live{*block, bytes, std::string(label), 0, unwatched_});
  if (const Shadow* const shadow = Shadow::existing()) give(shadow->states(), payload, bytes);
  usage_.in_use += bytes;
  usage_.high_water = std::max(usage_.high_water, usage_.in_use);
  ++usage_.count;
  return reinterpret_cast<void*>(arena_.base() + payload);
}

void Registry::set_header(void* base, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto live = live_.find(reinterpret_cast<std::uintptr_t>(base) - arena_.base());
  if (live == live_.end() || bytes > live->second.bytes) {
    throw ValueError(
        fmt::format("cannot set aside {} bytes at the device address {}: no live allocation of so many starts there: "
                    "pass what allocate() returned",
                    bytes, base));
  }
  live->second.header = bytes;
  if (const Shadow* const shadow = Shadow::existing()) take_away(shadow->states(), live->first, bytes);
}

void Registry::deallocate(void* base) {
  const std::lock_guard lock(mutex_);
  const auto live = live_.find(reinterpret_cast<std::uintptr_t>(base) - arena_.base());
  if (live == live_.end()) {
    throw ValueError(
        fmt::format("cannot free the device address {}: no live allocation starts there: it was freed "
                    "before, or is not what allocate() returned: free each address once",
                    base));
  }
  retire(std::move(live->second), live->first);
  live_.erase(live);
}

Allocation Registry::told(const LiveMap::value_type& live) const {
  return {reinterpret_cast<void*>(arena_.base() + live.first), live.second.bytes, live.second.label};
}

std::optional<Allocation> Registry::find(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  const auto live = holder(address - arena_.base());
  return live == live_.end() ? std::nullopt : std::optional(told(*live));
}

std::vector<Allocation> Registry::live() {
  const std::lock_guard lock(mutex_);
  std::vector<Allocation> all;
  std::ranges::transform(live_, std::back_inserter(all), [this](const auto& live) { return told(live); });
  return all;
}

MemoryUsage Registry::usage() {
  const std::lock_guard lock(mutex_);
  return usage_;
}

std::size_t Registry::release_all() {
  const std::lock_guard lock(mutex_);
  const std::size_t alive = live_.size();
  for (auto& [payload, live] : live_) retire(std::move(live), payload);
  live_.clear();
  arena_.discard(0, top_);
  return alive;
}

std::size_t Registry::describe(std::uintptr_t address, char* text, std::size_t capacity) noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock) {
    const auto live = holder(address - arena_.base());
    if (live != live_.end()) {
      const auto end = fmt::format_to_n(text, capacity, "'{}' ({} bytes), byte {}", live->second.label,
                                        live->second.bytes, address - arena_.base() - live->first);
      return std::min(end.size, capacity);
    }
  }
  const auto end = fmt::format_to_n(text, capacity, "an address of no live allocation");
  return std::min(end.size, capacity);
}

Registry::LiveMap::const_iterator Registry::holder(std::size_t offset) const {
  auto live = live_.upper_bound(offset);
  if (live == live_.begin()) return live_.end();
  --live;
  const bool inside = offset - live->first < std::max<std::size_t>(live->second.bytes, 1);
  return inside ? live : live_.end();
}

std::optional<Registry::Block> Registry::take(std::size_t size) {
  if (auto block = take_free(size)) return block;
  while (size > arena_.size() - top_) {  // addresses are short: quarantine must give way
    if (quarantine_.empty()) return std::nullopt;
    release_oldest();
    if (auto block = take_free(size)) return block;
  }
  const Block block{top_, size};
  arena_.use_up_to(top_ + size);
  top_ += size;
  return block;
}

std::optional<Registry::Block> Registry::take_free(std::size_t size) {
  const auto fit = fits_.lower_bound({size, 0});
  if (fit == fits_.end()) return std::nullopt;
  const auto [free_size, begin] = *fit;
  erase_free(free_.find(begin));
  if (free_size > size) {
    free_.emplace(begin + size, free_size - size);
    fits_.emplace(free_size - size, begin + size);
  }
  return Block{begin, size};
}

void Registry::retire(Live live, std::size_t payload) {
  usage_.in_use -= live.bytes;
  --usage_.count;
  const Block block = live.block;
  const Shadow* const shadow = Shadow::existing();
  if (shadow != nullptr) take_away(shadow->states(), payload, live.bytes);
  if (block.size >= large_bytes) {
    arena_.discard(block.begin, block.begin + block.size);
    if (shadow != nullptr) shadow->forget_accesses(block.begin, block.size);
  }
  quarantine_.push_back({std::move(live), payload});
  quarantined_ += block.size;
  while (quarantined_ > quarantine_bytes && quarantine_.size() > 1) release_oldest();
}

void Registry::release_oldest() {
  const Block block = quarantine_.front().live.block;
  quarantine_.pop_front();
  quarantined_ -= block.size;
  give_back(block);
}

void Registry::give_back(Block block) {
  auto next = free_.lower_bound(block.begin);
  if (next != free_.end() && next->first == block.begin + block.size) {
    block.size += next->second;
    const auto merged = next++;
    erase_free(merged);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == block.begin) {
      block = {previous->first, previous->second + block.size};
      erase_free(previous);
    }
  }
  free_.emplace(block.begin, block.size);
  fits_.emplace(block.size, block.begin);
}

void Registry::start_checks() {
  const std::lock_guard lock(mutex_);
  if (Shadow::existing() != nullptr) return;
  const Shadow& shadow = Shadow::instance();
  for (const auto& [payload, live] : live_) give(shadow.states(), payload + live.header, live.bytes - live.header);
}

// What a container keeps in front of its elements does not count.
void Registry::note_early_write(std::uintptr_t address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t offset = address - arena_.base();
  const auto found = holder(offset);
  if (found == live_.end() || offset + bytes <= found->first + found->second.header) return;
  live_.at(found->first).unwatched = written_early;
  is_behind_ = true;
}

void Registry::note_unwatched_writes() {
  const std::lock_guard lock(mutex_);
  ++unwatched_;
  is_behind_ = true;
}

bool Registry::has_unnoted_writes(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  const auto live = holder(address - arena_.base());
  return live != live_.end() && live->second.unwatched != unwatched_;
}

void Registry::catch_up() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(is_behind_, false)) return;
  for (auto& [payload, live] : live_) {
    if (live.unwatched == unwatched_) continue;
    live.unwatched = unwatched_;
    mark_written(Shadow::instance().states(), payload, live.bytes);
  }
}

Surroundings Registry::told(Surroundings::Where where, const Live& live, std::size_t payload,
                            std::size_t distance) const {
  return {.where = where,
          .label = live.label,
          .bytes = live.bytes - live.header,
          .base = arena_.base() + payload + live.header,
          .distance = distance};
}

// Of an address in a block, its guard zones included.
Surroundings Registry::around(const Live& live, std::size_t payload, std::size_t offset, bool freed) const {
  using Where = Surroundings::Where;
  const std::size_t begin = payload + live.header, end = payload + live.bytes;
  if (offset < begin) return told(Where::before, live, payload, begin - offset);
  if (offset < end || freed) return told(freed ? Where::freed : Where::inside, live, payload, offset - begin);
  return told(Where::behind, live, payload, offset - end);
}

Surroundings Registry::surroundings(std::uintptr_t address) {
  using Where = Surroundings::Where;
  const std::lock_guard lock(mutex_);
  const std::size_t offset = address - arena_.base();
  const auto is_in = [&](const Block& block) { return offset >= block.begin && offset - block.begin < block.size; };
  auto next = live_.upper_bound(offset);
  for (auto live = next; live != live_.end() && live == next; ++live) {
    if (is_in(live->second.block)) return around(live->second, live->first, offset, false);
  }
  if (next != live_.begin()) {
    const auto& [payload, live] = *std::prev(next);
    if (is_in(live.block)) return around(live, payload, offset, false);
  }
  for (const Retired& retired : std::views::reverse(quarantine_)) {
    if (is_in(retired.live.block)) return around(retired.live, retired.payload, offset, true);
  }
  // Far away from all blocks: the nearest one in front of it, which an index that grows comes from.
  if (next != live_.begin()) {
    const auto& [payload, live] = *std::prev(next);
    return told(Where::behind, live, payload, offset - payload - live.bytes);
  }
  if (next != live_.end()) {
    return told(Where::before, next->second, next->first, next->first + next->second.header - offset);
  }
  return {};
}

void Registry::erase_free(std::map<std::size_t, std::size_t>::iterator free) {
  fits_.erase({free->second, free->first});
  free_.erase(free);
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
